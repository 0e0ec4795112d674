import { mean, median } from 'simple-statistics';
import { canPin } from '../measurement/processes.ts';
import {
  COMPARED_ROWS,
  type CompareOptions,
  compareRows,
  type RowComparison,
} from './compare-rows.ts';
import { SIZE_ROWS } from './fresh-rows.ts';
import type { RowOutcome } from './proof-file.ts';
import type { ComparedRow } from './rows.ts';
import type { Change, Judgement } from './verdict.ts';

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
  /** Is told what each comparison came to; the next of its lane waits for it. */
  readonly onComparison: (outcomes: readonly RowOutcome[]) => unknown;
}

/** Rows of which it can be proven; sizes come out the same each time. */
const PROVEN_ROWS: readonly ComparedRow[] = COMPARED_ROWS.filter(({ id }) =>
  SIZE_ROWS.every((size) => size.id !== id),
);

/**
 * Compares a revision with itself, time and again: as it is, and in the same processes with
 * busy work in each row of the head that makes it slower, or larger, by the row's factor.
 */
export async function prove(options: ProveOptions): Promise<void> {
  const { root, trials, lanes, rows, signal, onComparison } = options;
  const proven = PROVEN_ROWS.filter(({ id }) => rows?.includes(id) ?? true);
  const ids = proven.map(({ id }) => id);
  const slowDowns = Object.fromEntries(proven.map(({ id, factor }) => [id, factor]));
  let next = 0;
  const lane = async (processor: number): Promise<void> => {
    while (next++ < trials) {
      const cpu = canPin() ? processor : undefined;
      const folders = { base: root, head: root };
      const found = await compareRows({ ...folders, rows: ids, slowDowns, signal, cpu });
      await onComparison(found.map(outcomeOf));
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, processor) => lane(processor)));
}

/** What the comparisons say of each row that is in one of them. */
export function proofsOf(comparisons: readonly (readonly RowOutcome[])[]): RowProof[] {
  return PROVEN_ROWS.flatMap((row) => {
    const outcomes = comparisons.flat().filter(({ id }) => id === row.id);
    if (outcomes.length === 0) return [];
    const unchanged = outcomes.map((outcome) => outcome.unchanged);
    const slowed = outcomes.map((outcome) => outcome.slowed);
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

/** The comparisons of equal revisions that called any row slower or larger: each would fail a job. */
export function failedComparisons(comparisons: readonly (readonly RowOutcome[])[]): number {
  return comparisons.filter((rows) => rows.some(({ unchanged }) => unchanged.change === 'worse'))
    .length;
}

/**
 * The greatest share that `hits` of `trials` leaves in doubt: with any greater one, so few hits come
 * up less than 5 times in 100.
 *
 * @see Clopper and Pearson 1934, the upper limit of one side.
 */
export function greatestShare(hits: number, trials: number): number {
  let [low, high] = [hits / trials, 1];
  if (hits >= trials) return 1;
  for (let halving = 0; halving < 50; halving++) {
    const share = (low + high) / 2;
    if (chanceOfAtMost(hits, trials, share) > 0.05) low = share;
    else high = share;
  }
  return high;
}

function chanceOfAtMost(hits: number, trials: number, share: number): number {
  let term = (1 - share) ** trials;
  let sum = term;
  for (let count = 1; count <= hits; count++) {
    term *= (((trials - count + 1) / count) * share) / (1 - share);
    sum += term;
  }
  return sum;
}

function outcomeOf({ row: { id, part }, judgement, slowed, missing }: RowComparison): RowOutcome {
  if (judgement === undefined || slowed === undefined) {
    throw new Error(`${part}: expected figures, received none (${missing.head ?? missing.base})`);
  }
  return { id, unchanged: outcome(judgement), slowed: outcome(slowed) };
}

function outcome({ change, ratio, pairs }: Judgement): RowOutcome['unchanged'] {
  return { change, ratio, pairs };
}

function tally(judgements: readonly { readonly change: Change }[]): Record<Change, number> {
  const counts = { worse: 0, better: 0, unchanged: 0, undecided: 0 };
  for (const { change } of judgements) counts[change]++;
  return counts;
}
