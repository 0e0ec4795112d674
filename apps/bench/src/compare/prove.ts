import { mean, median } from 'simple-statistics';
import { canPin } from '../measurement/processes.ts';
import {
  COMPARED_ROWS,
  type CompareOptions,
  compareRows,
  type RowComparison,
} from './compare-rows.ts';
import { SIZE_ROWS } from './fresh-rows.ts';
import type { ComparedRow } from './rows.ts';
import type { Change } from './verdict.ts';

/** How often comparisons of a revision with itself were right about a row. */
export interface RowProof {
  readonly row: ComparedRow;
  /** Verdicts where nothing was changed, and where the head was made slower by the row's factor. */
  readonly unchanged: Readonly<Record<Change, number>>;
  readonly slowed: Readonly<Record<Change, number>>;
  /** Median of the ratios that were found of the slowed head. */
  readonly slowedRatio: number;
  /** Mean pairs that a verdict took. */
  readonly pairs: number;
}

export interface ProveOptions extends Pick<CompareOptions, 'rows' | 'signal'> {
  /** Folder of the revision, built. */
  readonly root: string;
  readonly trials: number;
  /** Comparisons at a time, each on a processor of its own. */
  readonly lanes: number;
  readonly onTrial?: ((done: number, of: number, proofs: readonly RowProof[]) => void) | undefined;
}

/**
 * Compares a revision with itself, time and again: as it is, and in the same processes with
 * busy work in each row of the head that makes it slower, or larger, by the row's factor. Sizes are left out: they come out
 * the same each time.
 */
export async function prove(options: ProveOptions): Promise<RowProof[]> {
  const { root, trials, lanes, rows, signal, onTrial } = options;
  const proven = COMPARED_ROWS.filter(
    ({ id }) => (rows?.includes(id) ?? true) && SIZE_ROWS.every((size) => size.id !== id),
  );
  const ids = proven.map(({ id }) => id);
  const injected = Object.fromEntries(proven.map(({ id, factor }) => [id, factor]));
  const found: RowComparison[] = [];
  let next = 0;
  let done = 0;
  const lane = async (cpu: number): Promise<void> => {
    while (next++ < trials) {
      const pinned = canPin() ? cpu : undefined;
      const folders = { base: root, head: root };
      found.push(
        ...(await compareRows({ ...folders, rows: ids, slowDowns: injected, signal, cpu: pinned })),
      );
      onTrial?.(++done, trials, proofsOf(proven, found));
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, cpu) => lane(cpu)));
  return proofsOf(proven, found);
}

function proofsOf(rows: readonly ComparedRow[], found: readonly RowComparison[]): RowProof[] {
  return rows.flatMap((row) => {
    const ofRow = found.filter(({ row: { id } }) => id === row.id);
    const unchanged = ofRow.flatMap(({ judgement }) => judgement ?? []);
    const slowed = ofRow.flatMap(({ slowed }) => slowed ?? []);
    if (slowed.length === 0) return [];
    return [
      {
        row,
        unchanged: tally(unchanged),
        slowed: tally(slowed),
        slowedRatio: median(slowed.map(({ ratio }) => ratio)),
        pairs: mean([...unchanged, ...slowed].map(({ pairs }) => pairs)),
      },
    ];
  });
}

function tally(judgements: readonly { readonly change: Change }[]): Record<Change, number> {
  const counts = { worse: 0, better: 0, unchanged: 0, undecided: 0 };
  for (const { change } of judgements) counts[change]++;
  return counts;
}
