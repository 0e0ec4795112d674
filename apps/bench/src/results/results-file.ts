import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';

const BenchmarkResultSchema = z.object({
  group: z.string(),
  name: z.string(),
  size: z.number().optional(),
  reference: z.number().positive(),
  quantiles: z.array(z.number()).min(1),
  batched: z.boolean().optional(),
});

const SuiteRunSchema = z.object({
  startedAt: z.iso.datetime(),
  commit: z.string().optional(),
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
  readonly size?: number;
  /** Nanoseconds that a run of the reference loop took just before. */
  readonly reference: number;
  readonly quantiles: readonly number[];
  /** Whether they are of the means of batches: then only the median says something. */
  readonly batched?: boolean;
}

/** One process' measurements. */
export interface SuiteRun {
  /** When, in ISO 8601. */
  readonly startedAt: string;
  /** Of the revision that was measured, where it is known. */
  readonly commit?: string;
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

/** A file that holds no results. */
export class ResultsFileError extends Error {
  override readonly name = 'ResultsFileError';
  readonly code = 'RESULTS_INVALID';

  constructor(path: string, received: string, cause?: unknown) {
    super(`${path}: expected results of bench run --json, received ${received}`, { cause });
  }
}

/** @throws {@link ResultsFileError} when the file is not there or holds no results. */
export async function readResults(path: string): Promise<Results> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new ResultsFileError(path, String(cause), cause);
  }
  const parsed = ResultsSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new ResultsFileError(path, `other JSON:\n${z.prettifyError(parsed.error)}`);
}

export async function writeResults(path: string, results: Results): Promise<void> {
  await writeFile(path, `${JSON.stringify(results)}\n`);
}

/** What tells a benchmark from all others. */
export function benchmarkKey({ group, name, size }: BenchmarkResult): string {
  return size === undefined ? `${group}: ${name}` : `${group}: ${name}, ${size}`;
}
