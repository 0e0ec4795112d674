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
