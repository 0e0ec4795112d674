import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyTable, readHistory } from './history.ts';
import { writeResults } from './results-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-history-'));
  await write('b.json', '2026-02-01T10:00:00Z', 'b'.repeat(40), 240, 2);
  await write('a.json', '2026-01-01T10:00:00Z', 'a'.repeat(40), 100, 1);
  await write('c.json', '2026-03-01T10:00:00Z', undefined, 90, 1);
});
afterAll(() => rm(folder, { recursive: true }));

/** A run of one benchmark, on a machine that is so many times slower than the first. */
function write(
  name: string,
  startedAt: string,
  commit: string | undefined,
  time: number,
  slowness: number,
) {
  const benchmark = {
    group: 'parts',
    name: 'rules',
    reference: 1000 * slowness,
    quantiles: [time],
  };
  const runs = [{ startedAt, commit, benchmarks: [benchmark] }];
  return writeResults(join(folder, name), { version: 1, machine: 'none', runs, figures: [] });
}

describe('readHistory', () => {
  it('puts runs in order of time, whatever their files are called', async () => {
    const points = await readHistory([folder]);
    expect(points.map(({ revision, nanoseconds }) => [revision, nanoseconds])).toEqual([
      ['aaaaaaaa', 100],
      ['bbbbbbbb', 240],
      ['2026-03-01T10:00', 90],
    ]);
  });

  it('compares the last run with the median of those before, in runs of the reference loop', async () => {
    // 0.1 and 0.12 before, 0.09 now: 0.09 / 0.11 − 1.
    const [row] = historyTable(await readHistory([folder])).rows;
    expect(row).toEqual(['parts: rules', '3', '100 ns', '90.0 ns', '-18 %', '2026-03-01T10:00']);
  });

  it('refuses what holds no results, and names it', async () => {
    const damaged = join(folder, 'damaged.txt');
    await Bun.write(damaged, '{"version":1,"runs":[{"startedAt":"yesterday","benchmarks":[]}]}');
    await expect(readHistory([folder, damaged])).rejects.toThrow(
      /damaged\.txt: expected results of bench run --json, received other JSON:[\s\S]*startedAt/,
    );
    await expect(readHistory([join(folder, 'none')])).rejects.toThrow('ENOENT');
    const empty = await mkdtemp(join(folder, 'empty-'));
    await expect(readHistory([empty])).rejects.toThrow('received none');
  });
});
