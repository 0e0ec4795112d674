import { afterAll, expect, it } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSavedScores } from './saved-scores.ts';

const folder = await mkdtemp(join(tmpdir(), 'kp-scores-'));
afterAll(() => rm(folder, { recursive: true }));

/** A line of `kp score --json` whose formula has so many dimensions. */
function scoreOf(amount: number): string {
  const numbers = Object.fromEntries(Array.from({ length: amount }, (_, i) => [`d${i}`, 0.5]));
  const run = {
    ...{ objective: 'Go.', task: null, model: null, success: true },
    ...{ successFrom: 'recorded', confidenceFrom: 'given', file: 'a.jsonl' },
  };
  return JSON.stringify({
    ...{ traceId: 'kp:trace:a', score: 0.5, composite: 0.5, profile: 'default' },
    ...{ weights: numbers, dimensions: numbers, contributions: numbers },
    complexity: { stepTypes: 0.5, errorRecovery: 0, length: 0.2 },
    overrides: [],
    novelty: { source: 'compared' },
    run,
  });
}

it('refuses a score of more dimensions than a page can be drawn of', async () => {
  const path = join(folder, 'scores.jsonl');
  await writeFile(path, `${scoreOf(4)}\n\n${scoreOf(100)}\n`);
  expect(await readSavedScores([path])).toHaveLength(2);
  await writeFile(path, `${scoreOf(4)}\n${scoreOf(101)}\n`);
  await expect(readSavedScores([path])).rejects.toThrow(
    `${path}:2: expected a line of kp score --json, received one with weights: expected at most 100 numbers`,
  );
});
