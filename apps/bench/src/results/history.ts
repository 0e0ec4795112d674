import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { benchmarkKey, type Results, ResultsFileError, readResults } from './results-file.ts';
import { formatNanoseconds, formatPercent, type TextTable } from './tables.ts';

/** One run of one benchmark. */
export interface HistoryPoint {
  readonly key: string;
  readonly group: string;
  readonly startedAt: string;
  /** The first characters of the commit, or the time where it is not known. */
  readonly revision: string;
  /** Median, an operation. */
  readonly nanoseconds: number;
  /** The same in runs of the reference loop just before: what the machine did cancels out. */
  readonly relative: number;
}

/**
 * Reads results, of folders all `.json` files.
 *
 * @returns every run of every benchmark, the earliest first.
 * @throws {@link ResultsFileError} for a file that holds no results, and where nothing is found.
 */
export async function readHistory(paths: readonly string[]): Promise<HistoryPoint[]> {
  const files: string[] = [];
  for (const path of paths) files.push(...(await filesAt(path)));
  const points: HistoryPoint[] = [];
  for (const file of files) points.push(...pointsOf(await readResults(file)));
  if (points.length === 0) throw new ResultsFileError(paths.join(', '), 'none');
  return points.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
}

/** A line a benchmark: its first and its last time, and how the last compares with the median before. */
export function historyTable(points: readonly HistoryPoint[]): TextTable {
  const series = new Map<string, HistoryPoint[]>();
  for (const point of points) {
    series.set(point.key, [...(series.get(point.key) ?? []), point]);
  }
  return {
    columns: [
      { heading: 'benchmark' },
      { heading: 'runs', right: true },
      { heading: 'first', right: true },
      { heading: 'last', right: true },
      { heading: 'last against the median before, by reference', right: true },
      { heading: 'revision' },
    ],
    rows: [...series].map(([key, ofKey]) => {
      const [first, last] = [ofKey[0] as HistoryPoint, ofKey.at(-1) as HistoryPoint];
      const before = ofKey.slice(0, -1).map(({ relative }) => relative);
      const change = before.length === 0 ? undefined : last.relative / median(before) - 1;
      return [
        key,
        String(ofKey.length),
        formatNanoseconds(first.nanoseconds),
        formatNanoseconds(last.nanoseconds),
        change === undefined ? '' : `${change > 0 ? '+' : ''}${formatPercent(change)}`,
        last.revision,
      ];
    }),
  };
}

const SHOWN_OF_COMMIT = 8;

function pointsOf({ runs }: Results): HistoryPoint[] {
  return runs.flatMap(({ startedAt, commit, benchmarks }) =>
    benchmarks.map((benchmark) => {
      const nanoseconds = median([...benchmark.quantiles]);
      return {
        key: benchmarkKey(benchmark),
        group: benchmark.group,
        startedAt,
        revision: commit?.slice(0, SHOWN_OF_COMMIT) ?? startedAt.slice(0, 16),
        nanoseconds,
        relative: nanoseconds / benchmark.reference,
      };
    }),
  );
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(path, name));
}
