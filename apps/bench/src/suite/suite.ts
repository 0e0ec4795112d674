import type { BenchmarkFactory } from './benchmark.ts';
import { cacheBenchmarks } from './cache-benchmarks.ts';
import { embedderBenchmarks } from './embedder-benchmarks.ts';
import { importBenchmarks } from './import-benchmarks.ts';
import { evaluationBenchmarks, scoringBenchmarks } from './scoring-benchmarks.ts';
import { streamBenchmarks } from './stream-benchmarks.ts';
import { validationBenchmarks } from './validation-benchmarks.ts';

/** Everything that `bench run` measures in one process, in order. */
export const SUITE: readonly BenchmarkFactory[] = [
  scoringBenchmarks,
  validationBenchmarks,
  evaluationBenchmarks,
  ...cacheBenchmarks,
  ...embedderBenchmarks,
  streamBenchmarks,
  importBenchmarks,
];
