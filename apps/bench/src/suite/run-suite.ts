import { do_not_optimize, measure } from 'mitata';
import { median, quantileSorted } from 'simple-statistics';
import { REFERENCE_LOOPS } from '../measurement/timing.ts';
import type { BenchmarkResult, SuiteRun } from '../results/results-file.ts';

/** One benchmark of the suite. */
export interface Benchmark {
  readonly group: string;
  readonly name: string;
  /** What the cost may grow with: steps, vectors, characters; left out where there is no such thing. */
  readonly size?: number;
  /** Operations that one run does. */
  readonly operations?: number;
  /** Returns what it worked out, or a promise of it. */
  readonly run: () => unknown;
}

/** What the suite cannot measure here, and why. */
export interface MissingBenchmark {
  readonly group: string;
  readonly name: string;
  readonly notMeasured: string;
}

/** Makes a benchmark's inputs only when its turn comes: large ones must not burden the others. */
export interface BenchmarkFactory {
  readonly group: string;
  readonly create: () =>
    | readonly (Benchmark | MissingBenchmark)[]
    | Promise<readonly (Benchmark | MissingBenchmark)[]>;
}

export interface RunSuiteOptions {
  /** A group, or part of `group/name`: only the benchmarks that it fits. */
  readonly filter?: string;
  /** Milliseconds that each is measured for; 300. */
  readonly milliseconds?: number;
  readonly onResult?: (result: BenchmarkResult) => void;
  readonly onMissing?: (what: string, reason: string) => void;
}

// Kept of each benchmark's samples, evenly apart.
const QUANTILES = 101;
const WARM_UP_MS = 300;

/** Measures a suite by mitata, in this process. */
export async function runSuite(
  suite: readonly BenchmarkFactory[],
  options: RunSuiteOptions = {},
): Promise<SuiteRun> {
  const { filter = '', milliseconds = 300, onResult, onMissing } = options;
  await measureReference(WARM_UP_MS);
  const benchmarks: BenchmarkResult[] = [];
  for (const { create } of chooseFactories(suite, filter)) {
    for (const each of await create()) {
      const name = `${each.group}/${each.name}`;
      if (!name.includes(filter)) continue;
      if ('notMeasured' in each) {
        onMissing?.(name, each.notMeasured);
        continue;
      }
      const result = await measureBenchmark(each, milliseconds);
      benchmarks.push(result);
      onResult?.(result);
    }
  }
  return { startedAt: new Date().toISOString(), benchmarks };
}

/** The groups that a filter names; all where it names none, as it may be part of a name. */
function chooseFactories(
  suite: readonly BenchmarkFactory[],
  filter: string,
): readonly BenchmarkFactory[] {
  const named = suite.filter(({ group }) => group === filter.split('/')[0]);
  return named.length > 0 ? named : suite;
}

/** Median of nanoseconds. */
async function measureReference(milliseconds: number): Promise<number> {
  return median((await measureQuantiles(REFERENCE_LOOPS.objects, milliseconds)).quantiles);
}

async function measureBenchmark(
  { group, name, size, operations = 1, run }: Benchmark,
  milliseconds: number,
): Promise<BenchmarkResult> {
  const reference = await measureReference(milliseconds / 4);
  const { quantiles, batched } = await measureQuantiles(run, milliseconds);
  const times = quantiles.map((time) => time / operations);
  return { group, name, size, reference, quantiles: times, batched };
}

// Reading the clock takes some 40 ns: of what takes less than this, only batches can be timed.
const SHORTEST_ALONE_NS = 2000;
const PROBE_SHARE = 0.1;
/** No call is short enough for a batch. */
const NEVER = -1;

interface Measured {
  readonly quantiles: number[];
  /** Of the means of batches, so that they say nothing of single calls. */
  readonly batched: boolean;
}

async function measureQuantiles(run: () => unknown, milliseconds: number): Promise<Measured> {
  const options = { min_cpu_time: milliseconds * 1e6, min_samples: 20 };
  const isAsync = run() instanceof Promise;
  const measured = isAsync
    ? async () => {
        do_not_optimize(await run());
      }
    : () => do_not_optimize(run());
  const probe = await measure(measured, {
    min_cpu_time: PROBE_SHARE * milliseconds * 1e6,
    batch_threshold: NEVER,
  });
  const batched = probe.p50 < SHORTEST_ALONE_NS;
  const { samples } = await measure(
    measured,
    batched ? options : { ...options, batch_threshold: NEVER },
  );
  const sorted = samples.toSorted((a, b) => a - b);
  const quantiles = Array.from({ length: QUANTILES }, (_, index) =>
    quantileSorted(sorted, index / (QUANTILES - 1)),
  );
  return { quantiles, batched };
}
