import { describe, expect, it } from 'bun:test';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createLexicalEmbedder } from '@kp/embedder';
import { benchNovelty } from './bench-novelty.ts';

const shared =
  process.env.KP_SHARED_DIR ?? resolve(import.meta.dirname, '..', '..', '..', '..', '..', 'shared');
const recordings = join(shared, 'traces', 'openai-chat');

const recording = (task: number, trial: number, ask: string) => ({
  task_id: task,
  trial,
  reward: 1,
  info: {},
  traj: [
    { role: 'user', content: ask },
    { role: 'assistant', content: `Let me see about ${ask}` },
  ],
});

describe('benchNovelty', () => {
  it('measures the recordings of a directory and prints them as a table', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'novelty-'));
    try {
      const runs = [
        recording(1, 0, 'cancel the flight to Boston'),
        recording(1, 1, 'cancel my flight to Boston'),
        recording(2, 0, 'fix a parser bug'),
        recording(2, 1, 'fix the parser bug'),
      ];
      await writeFile(join(directory, 'runs.json'), JSON.stringify(runs));
      await writeFile(join(directory, 'left-out.json'), JSON.stringify(runs));
      await writeFile(join(directory, 'notes.txt'), 'not a recording');
      const printed: string[] = [];
      const rows = await benchNovelty(directory, {
        embedders: [createLexicalEmbedder()],
        exclude: /left-out/,
        print: (text) => printed.push(text),
      });
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({ source: 'openai-chat', runs: 4, tasks: 2, area: 1 });
      expect(printed).toHaveLength(1);
      expect(printed[0]).toContain('| lexical/4/384 | openai-chat | 4/2        | 1.000 |');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('refuses a directory without labelled recordings', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'novelty-'));
    try {
      await expect(benchNovelty(directory, { embedders: [] })).rejects.toThrow(
        'expected recordings with a task_id or instance_id a run, received none',
      );
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it.skipIf(!existsSync(recordings))('tells repeats from first sights on real runs', async () => {
    const [row] = await benchNovelty(recordings, {
      embedders: [createLexicalEmbedder()],
      print: () => undefined,
    });
    expect(row?.runs).toBe(100);
    expect(row?.area).toBeGreaterThan(0.97);
    expect(row?.firstSeen).toBeGreaterThan((row?.repeated ?? 1) + 0.15);
  });
});
