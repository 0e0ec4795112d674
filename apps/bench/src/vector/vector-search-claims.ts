import { renderTerminal } from '../results/tables.ts';
import type { VectorSearchRow } from './compare-vector-search.ts';
import type { QueryKind } from './vector-sets.ts';

/** A promise about a ratio of two times within one run, and what was seen. */
export interface VectorSearchClaim {
  readonly claim: string;
  readonly vectors: number;
  readonly bound: 'at most' | 'at least';
  readonly limit: number;
  readonly measured: number;
  readonly holds: boolean;
}

interface Expectation {
  readonly queries: QueryKind;
  readonly dividend: string;
  readonly divisor: string;
  readonly bound: 'at most' | 'at least';
  /** For 1,000 and 100,000 random vectors. */
  readonly limits: readonly [number, number];
  /** The same under Node, where it differs. */
  readonly nodeLimits?: readonly [number, number];
}

const ENGINE = 'engine';
const SCAN = 'engine, f32 only';
const NATIVE = 'C, AVX2 and FMA';
const BEST_PEER = 'best native peer';
const PEERS = ['usearch exact', 'simsimd, a call a pair', 'hnswlib brute force', 'sqlite-vec'];
const SIZES = [1000, 100_000] as const;
const MOST_OVER_SCAN = 1.25;

const PROMISES: readonly Expectation[] = [
  { queries: 'fresh', dividend: SCAN, divisor: NATIVE, bound: 'at most', limits: [1.5, 1.3] },
  { queries: 'fresh', dividend: ENGINE, divisor: NATIVE, bound: 'at most', limits: [1, 0.4] },
  {
    queries: 'near-duplicate',
    dividend: ENGINE,
    divisor: NATIVE,
    bound: 'at most',
    limits: [0.25, 0.1],
  },
  {
    queries: 'near-duplicate',
    dividend: BEST_PEER,
    divisor: ENGINE,
    bound: 'at least',
    limits: [15, 16],
  },
  {
    queries: 'near-duplicate',
    dividend: 'naive JS',
    divisor: ENGINE,
    bound: 'at least',
    limits: [60, 50],
    nodeLimits: [250, 350],
  },
];

/** Every promise the rows can tell about; those whose contenders are missing are left out. */
export function vectorSearchClaims(rows: readonly VectorSearchRow[]): VectorSearchClaim[] {
  const onRandom = PROMISES.flatMap((promise) =>
    SIZES.flatMap((vectors, index) => checkPromise(rows, promise, vectors, index)),
  );
  return [...onRandom, ...checkAgainstScan(rows)];
}

function checkPromise(
  rows: readonly VectorSearchRow[],
  promise: Expectation,
  vectors: number,
  index: number,
): VectorSearchClaim[] {
  const { queries, dividend, divisor, bound } = promise;
  const at = rows.filter(
    (row) => row.data === 'random' && row.vectors === vectors && row.queries === queries,
  );
  const isNode = at[0]?.runtime.startsWith('Node') === true;
  const limits = (isNode ? promise.nodeLimits : undefined) ?? promise.limits;
  const limit = limits[index] as number;
  const measured = timeOf(at, dividend) / timeOf(at, divisor);
  if (!Number.isFinite(measured)) return [];
  const claim = `random, ${queries}: ${dividend} / ${divisor}`;
  const holds = bound === 'at most' ? measured <= limit : measured >= limit;
  return [{ claim, vectors, bound, limit, measured, holds }];
}

/** On no data may bounds cost much more than they save. */
function checkAgainstScan(rows: readonly VectorSearchRow[]): VectorSearchClaim[] {
  return rows
    .filter((row) => row.contender === ENGINE)
    .flatMap((row) => {
      const same = rows.filter(
        (other) =>
          other.data === row.data && other.queries === row.queries && other.vectors === row.vectors,
      );
      const measured = row.microseconds / timeOf(same, SCAN);
      if (!Number.isFinite(measured)) return [];
      const claim = `${row.data}, ${row.queries}: ${ENGINE} / ${SCAN}`;
      const holds = measured <= MOST_OVER_SCAN;
      const { vectors } = row;
      return [{ claim, vectors, bound: 'at most', limit: MOST_OVER_SCAN, measured, holds }];
    });
}

/** Microseconds a query; NaN when the contender is missing, Infinity when every peer is. */
function timeOf(rows: readonly VectorSearchRow[], contender: string): number {
  if (contender === BEST_PEER) {
    const peers = rows.filter((row) => PEERS.includes(row.contender));
    return Math.min(...peers.map((row) => row.microseconds));
  }
  return rows.find((row) => row.contender === contender)?.microseconds ?? Number.NaN;
}

/** The comparison as text: one table a set, each contender with its ratio to the engine. */
export function formatVectorSearch(rows: readonly VectorSearchRow[]): string {
  const groups = new Map<string, VectorSearchRow[]>();
  for (const row of rows) {
    const title = `${row.data}, ${row.queries} queries`;
    groups.set(title, [...(groups.get(title) ?? []), row]);
  }
  const tables = [...groups].map(([title, group]) => {
    const sizes = [...new Set(group.map((row) => row.vectors))];
    const names = [...new Set(group.map((row) => row.contender))];
    const headings = ['', ...sizes.map((size) => `${size.toLocaleString('en')} vectors`)];
    const table = renderTerminal({
      columns: headings.map((heading, index) => ({ heading, right: index > 0 })),
      rows: names.map((name) => [name, ...sizes.map((size) => cell(group, name, size))]),
    });
    return `${title} (${group[0]?.dimensions} dimensions)\n${table}`;
  });
  return `${rows[0]?.runtime ?? ''}: µs a query, and how many times the time of the engine\n\n${tables.join('\n\n')}\n`;
}

function cell(rows: readonly VectorSearchRow[], contender: string, vectors: number): string {
  const at = rows.filter((row) => row.vectors === vectors);
  const row = at.find((each) => each.contender === contender);
  const engine = at.find((each) => each.contender === 'engine');
  if (row === undefined || engine === undefined) return '';
  const times = row.microseconds / engine.microseconds;
  const wrong = row.isExact ? '' : ' inexact';
  return `${row.microseconds.toFixed(1)} (${times.toFixed(2)}×)${wrong}`;
}
