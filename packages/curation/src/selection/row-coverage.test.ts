import { describe, expect, it } from 'bun:test';
import { coverageOfRows } from './row-coverage.ts';

const row = (...words: readonly number[]) => ({
  indices: Uint32Array.from(words).sort(),
  values: Float64Array.from(words, () => 1 / Math.sqrt(words.length)),
});

describe('coverageOfRows', () => {
  it('is the mean weight of the most similar chosen run, by hand', async () => {
    // Similarities 1, 1/2 and 0; above a baseline of 1/4 they weigh 1, 1/3 and 0.
    const rows = [row(1, 2), row(2, 3), row(4, 5)];
    expect(await coverageOfRows(rows, [row(1, 2), row(9)], 0.25)).toBeCloseTo(4 / 9, 7);
  });

  it('is 0 without runs or without a selection', async () => {
    expect(await coverageOfRows([], [row(1)], 0)).toBe(0);
    expect(await coverageOfRows([row(1)], [], -1)).toBe(0);
  });

  it('stops at the signal', async () => {
    const stopped = coverageOfRows([row(1)], [row(1)], 0, AbortSignal.abort(new Error('stop')));
    expect(stopped).rejects.toThrow('stop');
  });

  it('rejects a baseline that is no similarity', async () => {
    expect(coverageOfRows([], [], 2)).rejects.toMatchObject({ code: 'CURATION_INPUT_INVALID' });
  });
});
