import { sha256 } from '@kp/foundation';
import type { SimilarityGraph } from '@kp/vector-cache';
import {
  CurationInputError,
  checkEntries,
  checkGraph,
  checkNumber,
  checkOptions,
} from '../corpus/errors.ts';
import { compareKeys, groupBy, placesOf } from '../corpus/key-order.ts';

/** A part of a split. */
export interface SplitPart {
  /** What it is called; not empty, and once only. */
  readonly name: string;
  /** Its share of the groups, above 0; the shares of all parts sum to 1. */
  readonly share: number;
}

/** Options of {@link splitCorpus}. */
export interface SplitOptions {
  /** Two or more parts. */
  readonly parts: readonly SplitPart[];
  /** The group of each run, such as its task: all runs of a group go to one part. */
  readonly groups: readonly string[];
  /** Another seed gives another split; default 0. */
  readonly seed?: number | string;
  /**
   * Runs of two parts that are more similar than this are near-duplicates, in [-1, 1]; runs with
   * equal keys always are. Default 1.
   */
  readonly threshold?: number;
}

/** A run that is in no part, because it is a near-duplicate of a run of another part. */
export interface LeftOutRun {
  readonly run: number;
  /** The part that it would be in. */
  readonly part: string;
  /** The most similar run of a part that does not give way. */
  readonly duplicateOf: number;
  /** The part of that run. */
  readonly duplicatePart: string;
  readonly similarity: number;
}

/** Which runs are in which part. Runs are indices into the input of the graph, in the order of keys. */
export interface CorpusSplit {
  readonly parts: readonly {
    readonly name: string;
    /** How many groups it was given, before near-duplicates were left out. */
    readonly groups: number;
    readonly runs: readonly number[];
  }[];
  readonly leftOut: readonly LeftOutRun[];
}

// What sums of shares such as 0.1 + 0.2 + 0.7 may be off by.
const ROUNDING = 1e-9;

/**
 * Splits a corpus into parts that share no group and no near-duplicates, such as training and test
 * runs. The groups are put in an order that depends on the seed and on the smallest key of each, and
 * the parts take their shares of them, rounded to the nearest numbers that sum up; every part gets a
 * group if there are enough. Then near-duplicates are left out: of two parts the larger one gives way,
 * of equal ones the one that is named first. No run of a part is a near-duplicate of a run of another
 * part. Neither the order of the input nor the names of groups matter.
 *
 * @param graph - the corpus.
 * @throws (rejects) {@link CurationInputError} if an option is invalid, or if there are runs, but
 * fewer groups than parts.
 */
export async function splitCorpus(
  graph: SimilarityGraph,
  options: SplitOptions,
): Promise<CorpusSplit> {
  checkGraph(graph);
  checkOptions(options);
  const { parts, groups, seed = 0, threshold = 1 } = options;
  checkParts(parts);
  checkEntries('groups', groups, graph.size);
  checkNumber('threshold', threshold, -1, 1);
  const ordered = await orderGroups(graph, groups, seed);
  if (graph.size > 0 && ordered.length < parts.length) {
    throw new CurationInputError(
      'groups',
      `at least ${parts.length}, one per part`,
      ordered.length,
    );
  }
  const sizes = partSizes(parts, ordered.length);
  const partOf = new Int32Array(graph.size);
  let start = 0;
  for (const [part, size] of sizes.entries()) {
    for (const runs of ordered.slice(start, start + size))
      for (const run of runs) partOf[run] = part;
    start += size;
  }
  const leftOut = decontaminate(graph, partOf, parts, threshold);
  const isLeftOut = new Set(leftOut.map(({ run }) => run));
  const kept = [...graph.order].filter((run) => !isLeftOut.has(run));
  return {
    parts: parts.map(({ name }, part) => ({
      name,
      groups: sizes[part],
      runs: kept.filter((run) => partOf[run] === part),
    })),
    leftOut,
  };
}

function checkParts(parts: readonly SplitPart[]): void {
  if (parts.length < 2) throw new CurationInputError('parts', 'at least two', parts.length);
  for (const { name, share } of parts) {
    if (name === '') throw new CurationInputError('parts', 'names that are not empty', name);
    if (parts.filter((part) => part.name === name).length > 1) {
      throw new CurationInputError('parts', 'a name for each', `${name} twice`);
    }
    checkNumber(`share of ${name}`, share, Number.MIN_VALUE, 1);
  }
  const sum = parts.reduce((total, { share }) => total + share, 0);
  if (Math.abs(sum - 1) > ROUNDING) {
    throw new CurationInputError('parts', 'shares that sum to 1', Number(sum.toFixed(6)));
  }
}

/** The runs of each group, the groups in an order that looks random. */
async function orderGroups(
  { order, keys }: SimilarityGraph,
  groups: readonly string[],
  seed: number | string,
): Promise<readonly (readonly number[])[]> {
  const members = [...groupBy(order, (run) => groups[run]).values()];
  const ranked = await Promise.all(
    // The first run of a group has its smallest key.
    members.map(async (runs) => ({ runs, rank: await sha256(`${seed}\n${keys[runs[0]]}`) })),
  );
  return ranked.sort((a, b) => compareKeys(a.rank, b.rank)).map(({ runs }) => runs);
}

/** How many groups each part gets, by largest remainders; at least one, if there are enough. */
function partSizes(parts: readonly SplitPart[], groups: number): number[] {
  const exact = parts.map(({ share }) => share * groups);
  const sizes = exact.map((size) => Math.floor(size + ROUNDING));
  const byRemainder = [...parts.keys()].sort(
    (a, b) => exact[b] - sizes[b] - (exact[a] - sizes[a]) || a - b,
  );
  const missing = groups - sizes.reduce((sum, size) => sum + size, 0);
  for (const part of byRemainder.slice(0, missing)) sizes[part]++;
  for (const part of sizes.keys()) {
    const largest = sizes.indexOf(Math.max(...sizes));
    if (sizes[part] > 0 || sizes[largest] < 2) continue;
    sizes[largest]--;
    sizes[part]++;
  }
  return sizes;
}

/** From the part that never gives way to the one that gives way first. */
function decontaminate(
  graph: SimilarityGraph,
  partOf: Int32Array,
  parts: readonly SplitPart[],
  threshold: number,
): LeftOutRun[] {
  const places = placesOf(graph.order);
  const found = new Map<number, LeftOutRun>();
  const firm = new Set<number>();
  const isKept = (other: number): boolean => firm.has(partOf[other]) && !found.has(other);
  for (const part of [...parts.keys()].sort((a, b) => parts[a].share - parts[b].share || b - a)) {
    for (const run of graph.order) {
      if (partOf[run] !== part) continue;
      const duplicate = nearestDuplicate(graph, places, run, threshold, isKept);
      if (duplicate === undefined) continue;
      const { run: duplicateOf, similarity } = duplicate;
      const duplicatePart = parts[partOf[duplicateOf]].name;
      found.set(run, { run, part: parts[part].name, duplicateOf, duplicatePart, similarity });
    }
    firm.add(part);
  }
  return [...graph.order].flatMap((run) => found.get(run) ?? []);
}

/** The most similar of the runs that count, if it is a near-duplicate; of equal ones the first by key. */
function nearestDuplicate(
  graph: SimilarityGraph,
  places: Int32Array,
  run: number,
  threshold: number,
  counts: (other: number) => boolean,
): { readonly run: number; readonly similarity: number } | undefined {
  const { size, neighbors, order, keys, indices, similarities } = graph;
  for (const step of [-1, 1]) {
    for (let place = places[run] + step; place >= 0 && place < size; place += step) {
      const other = order[place];
      if (keys[other] !== keys[run]) break;
      if (counts(other)) return { run: other, similarity: 1 };
    }
  }
  const end = (run + 1) * neighbors;
  for (let at = run * neighbors; at < end; at++) {
    if (!(similarities[at] > threshold)) return undefined;
    if (counts(indices[at])) return { run: indices[at], similarity: similarities[at] };
  }
  if (neighbors >= size - 1) return undefined;
  // All neighbours that are kept are near-duplicates that do not count; others may be.
  let nearest: { run: number; similarity: number } | undefined;
  for (const other of order) {
    if (other === run || !counts(other)) continue;
    const similarity = graph.similarity(run, other);
    if (similarity > (nearest?.similarity ?? threshold)) nearest = { run: other, similarity };
  }
  return nearest;
}
