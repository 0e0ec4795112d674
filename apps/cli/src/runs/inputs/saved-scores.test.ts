import { expect, it } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { readSavedScores } from './saved-scores.ts';

const folder = useFolder('kp-scores-');

const BUILT_IN = { complexity: 0.5, novelty: 0.5, toolDiversity: 0.5, outcomeConfidence: 0.5 };
const WEIGHTS = { ...BUILT_IN, toolDiversity: 0, outcomeConfidence: 0 };

/** A line of `kp score --json` whose formula has the given number of user-defined dimensions. */
function scoreOf(amount: number, change: object = {}): string {
  const own = Array.from({ length: amount }, (_, i) => `d${i}`);
  const numbers = { ...BUILT_IN, ...Object.fromEntries(own.map((name) => [name, 0.5])) };
  const formula = { own: { dimensions: own, rules: [], profiles: [] } };
  const run = {
    ...{ objective: 'Go.', task: null, model: null, success: true },
    ...{ successFrom: 'recorded', confidenceFrom: 'given', file: 'a.jsonl' },
  };
  return JSON.stringify({
    ...{ traceId: 'kp:trace:a', score: 0.5, composite: 0.5, profile: 'default', formula },
    ...{ weights: WEIGHTS, dimensions: numbers, contributions: numbers },
    complexity: { stepTypes: 0.5, errorRecovery: 0, length: 0.2 },
    overrides: [],
    novelty: { source: 'compared' },
    run,
    ...change,
  });
}

it('rejects a score with too many dimensions for a page', async () => {
  const path = join(folder, 'scores.jsonl');
  await writeFile(path, `${scoreOf(0)}\n\n${scoreOf(96)}\n`);
  expect((await readSavedScores([path]))?.runs).toHaveLength(2);
  await writeFile(path, `${scoreOf(0)}\n${scoreOf(97)}\n`);
  await expect(readSavedScores([path])).rejects.toThrow(
    `${path}:2: expected a line of kp score --json, received one with dimensions: expected at most 100 numbers`,
  );
});

function summaryOf(scored: number): string {
  return JSON.stringify({ kind: 'summary', scored });
}

it.each([
  [{ weights: { ...WEIGHTS, novelty: 1 } }, 'profile "default": expected weights that sum to 1'],
  [
    { overrides: [{ rule: 'own', label: 'own', before: 0.6, after: 0.5 }] },
    'rule "own": expected the formula of the report, received none',
  ],
])("rejects a score that the page's audit cannot rescore: %p", async (change, message) => {
  const path = join(folder, 'scores.jsonl');
  await writeFile(path, scoreOf(0, change));
  await expect(readSavedScores([path])).rejects.toThrow(`received one with ${message}`);
});

it('describes the runs without a score, wherever their lines are', async () => {
  const path = join(folder, 'crashed.jsonl');
  const crash = { kind: 'crashed', reason: 'boom', run: { trace: 'kp:trace:b', task: 'b' } };
  const refusal = { kind: 'refused', file: 'a.jsonl', line: 7, reason: 'expected JSON' };
  const lines = [JSON.stringify(crash), scoreOf(0), JSON.stringify(refusal), summaryOf(1)];
  await writeFile(path, lines.join('\n'));
  const saved = await readSavedScores([path]);
  expect(saved?.runs).toHaveLength(1);
  expect(saved?.notes).toEqual([
    '1 run crashed before the first step, not scored: b (boom)',
    '1 part of the recordings could not be scored: a.jsonl:7: expected JSON',
  ]);
  await writeFile(path, `${scoreOf(0)}\n{"kind":"crashed"}`);
  await expect(readSavedScores([path])).rejects.toThrow(`${path}:2: expected a line`);
});

it.each([
  ['no summary', '', 'has no summary at its end, so runs may be missing'],
  ['a summary of more runs', summaryOf(3), 'has 1 run, and its summary 3'],
])('says that runs are missing from a file with %s', async (_, end, note) => {
  const path = join(folder, 'cut.jsonl');
  await writeFile(path, `${scoreOf(0)}\n${end}`);
  expect((await readSavedScores([path]))?.notes).toEqual([`${path} ${note}`]);
});
