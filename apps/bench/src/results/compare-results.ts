import { median, quantileSorted } from 'simple-statistics';
import { createRandom } from '../inputs/random.ts';
import { benchmarkKey, type Results } from './results-file.ts';

type Change = 'slower' | 'faster' | 'no difference' | 'too few runs';

/** A benchmark that both files hold. */
export interface Comparison {
  readonly key: string;
  /** Medians of nanoseconds over the runs. */
  readonly before: number;
  readonly after: number;
  /** New over old, each measured in runs of the reference loop just before. */
  readonly factor: number;
  /** 95 % interval of the factor. */
  readonly interval: readonly [number, number];
  readonly change: Change;
}

export interface CompareOptions {
  /** Changes of less than this share do not count; 0.05. */
  readonly threshold?: number;
}

const RESAMPLES = 1000;
// Processes differ by more than the samples within one: an interval from fewer says too much.
const RUNS_NEEDED = 5;

/**
 * Compares by the median of the runs' medians. The interval is a percentile bootstrap over runs,
 * then over the quantiles within a run.
 *
 * @returns benchmarks that both hold, in the order of the new one.
 * @see Kalibera and Jones 2013, "Rigorous benchmarking in reasonable time", section 6: resampling
 * the levels of an experiment from the highest.
 */
export function compareResults(
  before: Results,
  after: Results,
  { threshold = 0.05 }: CompareOptions = {},
): Comparison[] {
  const random = createRandom(1);
  const old = collect(before);
  const enough = before.runs.length >= RUNS_NEEDED && after.runs.length >= RUNS_NEEDED;
  return [...collect(after)].flatMap(([key, samples]) => {
    const oldSamples = old.get(key);
    if (oldSamples === undefined) return [];
    const factors = Array.from(
      { length: RESAMPLES },
      () => resampledMedian(samples, random) / resampledMedian(oldSamples, random),
    ).sort((a, b) => a - b);
    const interval = [quantileSorted(factors, 0.025), quantileSorted(factors, 0.975)] as const;
    return {
      key,
      before: medianOf(oldSamples, 'nanoseconds'),
      after: medianOf(samples, 'nanoseconds'),
      factor: medianOf(samples, 'ratios') / medianOf(oldSamples, 'ratios'),
      interval,
      change: enough ? changeOf(interval, threshold) : 'too few runs',
    };
  });
}

interface RunSamples {
  readonly nanoseconds: readonly number[];
  readonly ratios: readonly number[];
}

function collect({ runs }: Results): Map<string, RunSamples[]> {
  const found = new Map<string, RunSamples[]>();
  for (const { benchmarks } of runs) {
    for (const benchmark of benchmarks) {
      const key = benchmarkKey(benchmark);
      const nanoseconds = benchmark.quantiles;
      const ratios = nanoseconds.map((time) => time / benchmark.reference);
      found.set(key, [...(found.get(key) ?? []), { nanoseconds, ratios }]);
    }
  }
  return found;
}

function medianOf(runs: readonly RunSamples[], field: keyof RunSamples): number {
  return median(runs.map((run) => median([...run[field]])));
}

function resampledMedian(runs: readonly RunSamples[], random: () => number): number {
  const medians = runs.map(() => {
    const { ratios } = runs[Math.floor(random() * runs.length)] as RunSamples;
    return median(ratios.map(() => ratios[Math.floor(random() * ratios.length)] as number));
  });
  return median(medians);
}

function changeOf([low, high]: readonly [number, number], threshold: number): Change {
  if (low > 1 + threshold) return 'slower';
  return high < 1 - threshold ? 'faster' : 'no difference';
}
