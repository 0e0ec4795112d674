import { median } from 'simple-statistics';
import type { ProgramOptions } from '../measurement/processes.ts';
import { measureSize, measureStartPair, SIZE_ROWS, START_ROWS } from './fresh-rows.ts';
import { type MissingSides, measurePair } from './pair.ts';
import { type ComparedRow, LOOP_ROWS, type LoopRow } from './rows.ts';
import { shownBlock } from './serve-rows.ts';
import { type Judgement, judgeRatios, MOST_PAIRS } from './verdict.ts';

/** What became of a row: a judgement, or why there is none. */
export interface RowComparison {
  readonly row: ComparedRow;
  /** Medians over the pairs, in the row's unit. */
  readonly base?: number;
  readonly head?: number;
  readonly judgement?: Judgement;
  /** Of the head made slower, to prove that it is found. */
  readonly slowed?: Judgement;
  readonly missing: MissingSides;
}

export interface CompareOptions extends ProgramOptions {
  /** Folders of the two revisions, both built. */
  readonly base: string;
  readonly head: string;
  /** Ids of the rows; all when left out. */
  readonly rows?: readonly string[];
  /** To prove that a change is found: times that rows of the head are made slower or larger. */
  readonly slowDowns?: Readonly<Record<string, number>>;
  /** Pairs of processes at most; 15. */
  readonly mostPairs?: number;
  readonly onProgress?: (what: string) => void;
}

/** All rows, in the order of tables. */
export const COMPARED_ROWS: readonly ComparedRow[] = [...LOOP_ROWS, ...START_ROWS, ...SIZE_ROWS];

/**
 * Compares two revisions row by row. Each round measures every row that is not settled in another pair
 * of fresh processes, one for each revision.
 *
 * @throws DOMException `AbortError` when the signal says so.
 */
export async function compareRows(options: CompareOptions): Promise<RowComparison[]> {
  const { rows: ids, mostPairs = MOST_PAIRS, signal, onProgress } = options;
  const chosen = COMPARED_ROWS.filter(({ id }) => ids?.includes(id) ?? true);
  const open = new Map(chosen.map((row) => [row.id, openRow(row)]));
  for (const row of SIZE_ROWS) {
    const state = open.get(row.id);
    if (state !== undefined) await measureSizes(state, row, options);
  }
  const isOpen = ({ id }: ComparedRow): boolean => open.get(id)?.isSettled === false;
  for (let round = 1; round <= mostPairs; round++) {
    for (const group of groupsOf(LOOP_ROWS.filter(isOpen))) {
      signal?.throwIfAborted();
      onProgress?.(`pair ${round}: ${group.map(({ id }) => id).join(', ')}`);
      await measureGroup(group, open, { ...options, startsHead: round % 2 === 0 });
    }
    if (START_ROWS.some(isOpen)) {
      signal?.throwIfAborted();
      onProgress?.(`pair ${round}: starts of processes`);
      await measureStarts(open, options);
    }
    for (const state of open.values()) settle(state, round === mostPairs);
  }
  signal?.throwIfAborted();
  return [...open.values()].map(({ row, base, head, judgement, slowedJudgement, missing }) => ({
    row,
    base: base.length === 0 ? undefined : median(base),
    head: head.length === 0 ? undefined : median(head),
    judgement,
    slowed: slowedJudgement,
    missing,
  }));
}

interface OpenRow {
  readonly row: ComparedRow;
  readonly base: number[];
  readonly head: number[];
  readonly slowed: number[];
  judgement: Judgement | undefined;
  slowedJudgement: Judgement | undefined;
  missing: MissingSides;
  isSettled: boolean;
}

function openRow(row: ComparedRow): OpenRow {
  const [judgement, slowedJudgement] = [undefined, undefined];
  const missing = {};
  return {
    row,
    base: [],
    head: [],
    slowed: [],
    judgement,
    slowedJudgement,
    missing,
    isSettled: false,
  };
}

function settle(state: OpenRow, isLast: boolean): void {
  if (state.isSettled) return;
  const { base, head, slowed, row } = state;
  const judge = (figures: readonly number[]): Judgement | undefined => {
    const ratios = figures.map((figure, pair) => figure / (base[pair] as number));
    return judgeRatios(ratios, row.factor, isLast);
  };
  state.judgement ??= judge(head);
  state.slowedJudgement ??= judge(slowed);
  const isJudged =
    state.judgement !== undefined && (slowed.length === 0 || state.slowedJudgement !== undefined);
  state.isSettled = isJudged || isMissing(state.missing);
}

function isMissing({ base, head }: MissingSides): boolean {
  return base !== undefined || head !== undefined;
}

function groupsOf(rows: readonly LoopRow[]): LoopRow[][] {
  const groups = new Map<string, LoopRow[]>();
  for (const row of rows) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  return [...groups.values()];
}

async function measureGroup(
  group: readonly LoopRow[],
  open: ReadonlyMap<string, OpenRow>,
  options: CompareOptions & { readonly startsHead: boolean },
): Promise<void> {
  // Both sides go through the same, the base for nothing, so that they are as warm.
  const { slowDowns = {} } = options;
  const rows = group.map(({ id }) => id);
  const base = { root: options.base, rows, slowDowns };
  const head = { root: options.head, rows, slowDowns };
  const compilers = group[0]?.compilers ?? 'all-but-the-last';
  for (const pair of await measurePair(base, head, { ...options, compilers })) {
    const state = open.get(pair.id);
    if (state === undefined) continue;
    state.missing = pair.missing;
    if (isMissing(pair.missing)) continue;
    state.base.push(shownBlock(pair.base));
    state.head.push(shownBlock(pair.head));
    if (pair.slowed.length > 0) state.slowed.push(shownBlock(pair.slowed));
  }
}

async function measureStarts(
  open: ReadonlyMap<string, OpenRow>,
  options: CompareOptions,
): Promise<void> {
  const { base: baseRoot, head: headRoot, slowDowns = {} } = options;
  const [base, head] = await measureStartPair(baseRoot, headRoot, slowDowns, options);
  for (const { id } of START_ROWS) {
    const state = open.get(id);
    if (state === undefined || state.isSettled) continue;
    if (typeof base === 'string' || typeof head === 'string') {
      state.missing = {
        base: typeof base === 'string' ? base : undefined,
        head: typeof head === 'string' ? head : undefined,
      };
    } else {
      state.base.push(base.plain[id] as number);
      state.head.push(head.plain[id] as number);
      if (head.slowed !== undefined) state.slowed.push(head.slowed[id] as number);
    }
  }
}

async function measureSizes(
  state: OpenRow,
  row: (typeof SIZE_ROWS)[number],
  { base, head }: CompareOptions,
): Promise<void> {
  const [before, after] = [await sizeOrReason(base, row), await sizeOrReason(head, row)];
  state.isSettled = true;
  if (typeof before === 'string' || typeof after === 'string') {
    state.missing = {
      base: typeof before === 'string' ? before : undefined,
      head: typeof after === 'string' ? after : undefined,
    };
    return;
  }
  state.base.push(before);
  state.head.push(after);
  const ratio = after / before;
  const isWithin = ratio <= row.factor && ratio >= 1 / row.factor;
  const change = isWithin ? 'unchanged' : ratio > 1 ? 'worse' : 'better';
  state.judgement = { change, ratio, interval: [ratio, ratio], pairs: 1 };
}

async function sizeOrReason(
  root: string,
  row: (typeof SIZE_ROWS)[number],
): Promise<number | string> {
  return measureSize(root, row).catch((error: Error) => error.message);
}
