import { expect, it } from 'bun:test';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { compareSets } from './compare-sets.ts';
import { readRecordings } from './read-recordings.ts';
import { compareRuns, scoreRuns } from './score-runs.ts';

const signal = new AbortController().signal;
const listener = { stopped: signal, onProgress: () => undefined, onProblem: () => undefined };

async function setOf(name: string, lines: readonly string[]) {
  const read = await readRecordings([{ name, file: new Blob([lines.join('\n')]) }], listener);
  const graph = await compareRuns(read, signal, () => undefined);
  return { name, read, scored: await scoreRuns(read, graph, DEFAULT_SETTINGS, signal) };
}

it('compares one attempt at a task with three equally good ones as equal', async () => {
  const attempts = ['Done.', 'It works.', 'It is repaired.'].map((answer) =>
    ['kettle', 'lamp'].map((thing) =>
      JSON.stringify({
        messages: [
          { role: 'user', content: `Please repair the ${thing}` },
          // A run of a single thought scores 0.1, whatever its novelty.
          { role: 'assistant', content: 'Here is a screwdriver.' },
          { role: 'assistant', content: answer },
        ],
      }),
    ),
  );
  const base = await setOf('base.jsonl', attempts[0] ?? []);
  const next = await setOf('next.jsonl', attempts.flat());
  expect(next.read.runs).toHaveLength(6);
  const { tasks, ties } = compareSets(base, next);
  expect([tasks.length, ties]).toEqual([2, 2]);
});
