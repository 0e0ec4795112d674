import { describe, expect, it } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { traceLine } from '../../test/traces.ts';
import { UsageError } from '../output/errors.ts';
import { openSession } from './first-pass.ts';
import { resolveInputs } from './inputs.ts';

const folder = useFolder('kp-first-pass-');
const lines = Array.from({ length: 3000 }, (_, i) => traceLine(`${i}`, `text ${i} `.repeat(30)));

function terminal(read: (bytes: number) => void = () => undefined) {
  return { stopped: new AbortController().signal, progress: { read } };
}

describe('openSession', () => {
  it('tells how much of the names it has read, chunk by chunk', async () => {
    const path = join(folder, 'surveyed.jsonl');
    const text = `${lines.join('\n')}\n`;
    await writeFile(path, text);
    const { inputs } = await resolveInputs([path]);
    const counts: number[] = [];
    let calls = 0;
    const listener = terminal((bytes) => counts.push(bytes));
    const survey = { onNames: () => void calls++ };
    await openSession(inputs, { labels: new Map() }, { labels: 'labels.csv' }, listener, survey);
    expect(counts.length).toBeGreaterThan(3);
    expect(calls).toBe(counts.length);
    expect(counts.reduce((sum, bytes) => sum + bytes, 0)).toBe(text.length);
  });

  it('reads traces only up to the first one, which records a confidence', async () => {
    let chunks = 0;
    const input = {
      name: 'runs.jsonl',
      path: 'runs.jsonl',
      bytes: 1_000_000,
      isFound: false,
      async *open() {
        for (const line of lines) {
          chunks++;
          yield Buffer.from(`${line}\n`);
        }
      },
    };
    const { options } = await openSession([input], {}, {}, terminal());
    expect(options.gradeAsConfidence).toBe(false);
    expect(chunks).toBeGreaterThan(0);
    expect(chunks).toBeLessThan(20);
  });

  it('names the file of labels of which none names a run', async () => {
    const labels = { sets: [{ name: 'a', labels: [{ success: true, names: {} }] }], key: [] };
    const opening = openSession([], { labels }, { labels: 'labels.csv' }, terminal());
    await expect(opening).rejects.toThrow(
      '--labels labels.csv: expected a column that names the run, such as id or task_id, received none; add one',
    );
    await expect(opening).rejects.toBeInstanceOf(UsageError);
  });
});
