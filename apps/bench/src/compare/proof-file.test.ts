import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProofFileError, type RowOutcome, readKept, writeKept } from './proof-file.ts';
import { failedComparisons, greatestShare, proofsOf } from './prove.ts';
import { describeProof } from './report.ts';
import type { Change } from './verdict.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-proof-'));
});
afterAll(() => rm(folder, { recursive: true }));

function outcome(id: string, unchanged: Change, slowed: Change, ratio = 1.2): RowOutcome {
  return {
    id,
    unchanged: { change: unchanged, ratio: 1, pairs: 3 },
    slowed: { change: slowed, ratio, pairs: 5 },
  };
}

const COMPARISONS = [
  [outcome('rules', 'unchanged', 'worse', 1.18), outcome('heap', 'worse', 'worse')],
  [outcome('rules', 'better', 'undecided', 1.22), outcome('heap', 'worse', 'worse')],
  [outcome('rules', 'unchanged', 'worse', 1.2)],
];

describe('readKept', () => {
  it('gives back what was kept, and nothing of a file that there is not', async () => {
    const file = join(folder, 'kept.json');
    expect(await readKept(file)).toEqual([]);
    await writeKept(file, COMPARISONS);
    expect(await readKept(file)).toEqual(COMPARISONS);
    await writeKept(file, COMPARISONS.slice(0, 1));
    expect(await readKept(file)).toEqual(COMPARISONS.slice(0, 1));
    expect(await readdir(folder)).toEqual(['kept.json']);
  });

  it('refuses what other code came to', async () => {
    const file = join(folder, 'other.json');
    await writeKept(file, COMPARISONS, 'c0ffee');
    const error = await readKept(file, 'decade').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProofFileError);
    expect((error as Error).message).toContain(
      'by this code (decade), on this machine, received c0ffee',
    );
  });

  it.each(['', '[]', '{"version":1,"code":"c0ffee","comparisons":[[{"id":"rules"}]]}'])(
    'refuses %j',
    async (text) => {
      const file = join(folder, 'damaged.json');
      await writeFile(file, text);
      await expect(readKept(file, 'c0ffee')).rejects.toThrow(ProofFileError);
    },
  );
});

describe('proofsOf', () => {
  it('counts the verdicts of each row over all comparisons', () => {
    const [rules, heap] = proofsOf(COMPARISONS);
    expect(rules).toMatchObject({
      row: { id: 'rules' },
      unchanged: { worse: 0, better: 1, unchanged: 2, undecided: 0 },
      slowed: { worse: 2, better: 0, unchanged: 0, undecided: 1 },
      slowedRatio: 1.2,
      pairs: 4,
    });
    expect(heap?.unchanged.worse).toBe(2);
  });

  it('counts a comparison that fails once, however many of its rows do', () => {
    expect(failedComparisons(COMPARISONS)).toBe(2);
    const [first = []] = COMPARISONS;
    expect(
      failedComparisons([first.map((row) => ({ ...row, ...outcome(row.id, 'worse', 'worse') }))]),
    ).toBe(1);
  });

  it('is told as a table, with the share of comparisons that would fail', () => {
    const text = describeProof(COMPARISONS, false);
    expect(text).toMatch(/^rules +1 of 3 +0 +1\.2 × +1\.20 × +2 of 3 +1 +4\.0$/m);
    expect(text).toContain('2 of 3 comparisons of equal revisions called a row slower');
    expect(describeProof([], true)).toBe('no comparison was made');
  });
});

describe('greatestShare', () => {
  // None of n: 1 − 0.05^(1/n). One of two: 1 − p² = 0.05.
  it.each([
    [0, 100, 1 - 0.05 ** (1 / 100)],
    [0, 1, 0.95],
    [1, 2, Math.sqrt(0.95)],
    [3, 3, 1],
  ])('of %p in %p is %p', (hits, trials, share) => {
    expect(greatestShare(hits, trials)).toBeCloseTo(share, 9);
  });
});
