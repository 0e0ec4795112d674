import { createReadStream } from 'node:fs';
import { findWaste } from '@kp/curation';
import { importTraces } from '@kp/importers';
import { mean } from 'simple-statistics';
import { filesOfCorpus } from '../curation/corpus-files.ts';
import { seededOrder } from '../inputs/random.ts';

/** A failed run whose failing step was annotated by people. */
interface FailedRun {
  readonly length: number;
  readonly wrong: number;
  /** Steps that report an error, in order. */
  readonly errors: readonly number[];
  /** Errors that were never resolved. */
  readonly unresolved: readonly number[];
  /** Steps of agents, in order. */
  readonly own: readonly number[];
}

/** Rate at which the annotated step is the first guess, and among the first three. */
export interface HitRate {
  readonly method: string;
  readonly first: number;
  readonly firstThree: number;
  /** Middle 95 % of 2,000 resamplings of the runs, for the first three. */
  readonly interval: readonly [low: number, high: number];
}

/**
 * Runs of Who&When with one step a message: of others the number of the step is not that of the message.
 */
export async function readFailedRuns(argument: string): Promise<FailedRun[]> {
  const runs: FailedRun[] = [];
  for (const { path } of await filesOfCorpus(argument)) {
    for await (const item of importTraces(createReadStream(path), { assumeSuccess: true })) {
      if (item.kind !== 'trace' || item.provenance === undefined) continue;
      const annotations: unknown = Reflect.get(item.provenance, 'annotations');
      const wrong = Number(Reflect.get(Object(annotations), 'mistake_step') ?? Number.NaN);
      const { steps } = item.trace;
      const isPlain = item.provenance.omitted === undefined && steps.length === messagesIn(item);
      if (!Number.isInteger(wrong) || wrong >= steps.length || !isPlain) continue;
      const where = (is: (step: (typeof steps)[number]) => boolean): number[] =>
        steps.flatMap((step, at) => (is(step) ? [at] : []));
      runs.push({
        length: steps.length,
        wrong,
        errors: where((step) => Object(Reflect.get(step, 'kp:source')).error !== undefined),
        unresolved: findWaste(item.trace).unresolvedErrors,
        own: where(({ type }) => type !== 'observation'),
      });
    }
  }
  return runs;
}

function messagesIn(item: object): number {
  const history: unknown = Reflect.get(Object(Reflect.get(item, 'record')), 'history');
  return Array.isArray(history) ? history.length : -1;
}

const METHODS: Readonly<Record<string, (run: FailedRun) => readonly number[]>> = {
  'baseline: last error': ({ errors }) => errors.toReversed(),
  'first error that is never resolved': ({ unresolved }) => unresolved,
  'step of the agent before the first error': ({ errors, own }) =>
    errors.flatMap((error) => own.findLast((step) => step < error) ?? []),
  'first steps of agents': ({ own }) => own,
};

/** Computes hit rates of random steps as a baseline, then of each method. */
export function hitRates(runs: readonly FailedRun[]): HitRate[] {
  const random = {
    method: 'baseline: random step',
    first: mean(runs.map(({ length }) => 1 / length)),
    firstThree: mean(runs.map(({ length }) => Math.min(1, 3 / length))),
  };
  const interval = [random.firstThree, random.firstThree] as const;
  return [
    { ...random, interval },
    ...Object.entries(METHODS).map(([method, guess]): HitRate => {
      const guesses = runs.map((run) => [...new Set(guess(run))]);
      const hits = (most: number): number[] =>
        guesses.map((steps, at) => Number(steps.slice(0, most).includes(runs[at]?.wrong ?? -1)));
      const three = hits(3);
      return { method, first: mean(hits(1)), firstThree: mean(three), interval: resampled(three) };
    }),
  ];
}

function resampled(hits: readonly number[]): readonly [low: number, high: number] {
  const rates = Array.from({ length: 2000 }, (_, seed) => {
    const drawn = hits.map((_hit, at) => {
      const [place = 0] = seededOrder(hits.length, seed * 101 + at);
      return hits[place] as number;
    });
    return mean(drawn);
  }).sort((a, b) => a - b);
  return [rates[50] as number, rates[1949] as number];
}
