import { assertType, createPause } from '@kp/foundation';
import { checkNumber } from '../corpus/errors.ts';
import { type SparseRow, sparseSimilarity } from '../corpus/sparse-rows.ts';
import { weightOf } from './cover-weights.ts';

/**
 * Computes how well a selection covers some runs, of which it need not be a part: the mean over these
 * runs of the weight that `selectSubset` gives to the most similar chosen run.
 *
 * @param rows - vectors of the runs to cover.
 * @param chosen - vectors of the selection.
 * @param baseline - similarity that counts as zero.
 * @param signal - stops the computation.
 * @returns A value in [0, 1]; 0 without runs or without a selection.
 * @throws The signal's reason if it is aborted.
 */
export async function coverageOfRows(
  rows: readonly SparseRow[],
  chosen: readonly SparseRow[],
  baseline: number,
  signal?: AbortSignal,
): Promise<number> {
  assertType('rows', 'an array', rows);
  assertType('chosen', 'an array', chosen);
  checkNumber('baseline', baseline, -1, 1);
  signal?.throwIfAborted();
  const pause = createPause(signal);
  let sum = 0;
  for (const row of rows) {
    await pause();
    let best = -1;
    for (const other of chosen) best = Math.max(best, sparseSimilarity(row, other));
    sum += weightOf(best, baseline);
  }
  return rows.length === 0 || chosen.length === 0 ? 0 : sum / rows.length;
}
