import { describe, expect, it } from 'bun:test';
import type { Embedder } from '@kp/embedder';
import { measureNovelty } from './measure-novelty.ts';
import type { LabelledText } from './read-labelled-texts.ts';

/** Texts are angles in degrees. */
const angles: Embedder = {
  id: 'angles',
  dimensions: 2,
  embed: async (texts) =>
    texts.map((text) => {
      const angle = (Number(text) * Math.PI) / 180;
      return {
        vector: Float32Array.of(Math.cos(angle), Math.sin(angle)),
        truncated: text === '90',
      };
    }),
};

const run = (task: string, text: string): LabelledText => ({
  source: 'by hand',
  task,
  text,
  boundaries: [],
});

describe('measureNovelty', () => {
  it('is 1 when repeats point the same way and tasks point apart', async () => {
    const runs = [run('a', '0'), run('a', '0'), run('b', '90'), run('b', '90')];
    const row = await measureNovelty(angles, runs, 8);
    expect(row).toMatchObject({
      embedder: 'angles',
      source: 'by hand',
      runs: 4,
      tasks: 2,
      area: 1,
    });
    expect(row.firstSeen).toBeCloseTo(1, 6);
    expect(row.repeated).toBeCloseTo(0, 6);
    expect(row.bytesPerRun).toBe(1.5);
    expect(row.truncated).toBe(0.5);
  });

  it('is below chance when repeats are the ones that point apart', async () => {
    // What looks alike is of different tasks: the second sight of an angle is a first sight of a task.
    const runs = [run('a', '0'), run('b', '0'), run('a', '90'), run('b', '90')];
    const row = await measureNovelty(angles, runs, 40);
    expect(row.area).toBeLessThan(0.5);
  });

  it('has no area without repeats', async () => {
    const row = await measureNovelty(angles, [run('a', '0'), run('b', '90')], 2);
    expect(row.area).toBeNaN();
  });

  it('takes a negative cosine for full novelty', async () => {
    const row = await measureNovelty(angles, [run('a', '0'), run('b', '180')], 2);
    expect(row.firstSeen).toBe(1);
  });
});
