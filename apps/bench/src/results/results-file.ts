import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';

const BenchmarkResultSchema = z.object({
  group: z.string(),
  name: z.string(),
  size: z.number().optional(),
  quantiles: z.array(z.number()).min(1),
});

const SuiteRunSchema = z.object({
  startedAt: z.string(),
  reference: z.number().positive(),
  benchmarks: z.array(BenchmarkResultSchema),
});

const FigureSchema = z.object({
  name: z.string(),
  unit: z.enum(['nanoseconds', 'bytes']),
  value: z.number(),
});

const ResultsSchema = z.object({
  version: z.literal(1),
  machine: z.string(),
  runs: z.array(SuiteRunSchema).min(1),
  figures: z.array(FigureSchema),
});

/** What a benchmark took: quantiles of nanoseconds an operation, evenly apart, least first. */
export interface BenchmarkResult {
  readonly group: string;
  readonly name: string;
  readonly size?: number | undefined;
  readonly quantiles: readonly number[];
}

/** One process' measurements. */
export interface SuiteRun {
  readonly startedAt: string;
  /** Nanoseconds of the reference loop in that process. */
  readonly reference: number;
  readonly benchmarks: readonly BenchmarkResult[];
}

/** A figure that is measured once: a size, or a median over fresh processes. */
export interface Figure {
  readonly name: string;
  readonly unit: 'nanoseconds' | 'bytes';
  readonly value: number;
}

/** The contents of a results file. */
export interface Results {
  readonly version: 1;
  readonly machine: string;
  readonly runs: readonly SuiteRun[];
  readonly figures: readonly Figure[];
}

/** @throws Error that names the file, when it holds no results. */
export async function readResults(path: string): Promise<Results> {
  const parsed = ResultsSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(
    `${path}: expected results of bench run --json\n${z.prettifyError(parsed.error)}`,
  );
}

export async function writeResults(path: string, results: Results): Promise<void> {
  await writeFile(path, `${JSON.stringify(results)}\n`);
}

/** What tells a benchmark from all others. */
export function benchmarkKey({ group, name, size }: BenchmarkResult): string {
  return size === undefined ? `${group}: ${name}` : `${group}: ${name}, ${size}`;
}
