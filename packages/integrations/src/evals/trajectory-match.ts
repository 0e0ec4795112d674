import { assertFields, isObject } from '@kp/foundation';
import type { ReasoningTrace } from '@kp/schema';

/** A tool call. */
export interface TrajectoryCall {
  /** Name of the tool. */
  readonly tool: string;
  /** Arguments of the call; empty if none were recorded. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Options for comparing the tool calls of two runs. */
export interface TrajectoryMatchOptions {
  /**
   * `strict`: the same calls in the same order, except that parallel calls may be in any order.
   * `unordered`: the same calls in any order. `subset`: only calls that the reference has. `superset`: all
   * calls of the reference, and possibly more. Default: `strict`.
   */
  readonly mode?: 'strict' | 'unordered' | 'subset' | 'superset';
  /** Whether two calls of a tool have the same arguments. Default: the arguments are equal as JSON. */
  readonly sameInput?: (called: TrajectoryCall, expected: TrajectoryCall) => boolean;
}

/** Result of comparing the tool calls of a run with those of a reference run. */
export interface TrajectoryMatch {
  /** Whether the calls match according to the mode. */
  readonly matches: boolean;
  /** Share of the run's calls that the reference has; 1 if the run has none. */
  readonly precision: number;
  /** Share of the reference's calls that the run has; 1 if the reference has none. */
  readonly recall: number;
  /** Harmonic mean of precision and recall. */
  readonly f1: number;
  /** Calls of the reference that are missing in the run. */
  readonly missing: readonly TrajectoryCall[];
  /** Calls of the run that are missing in the reference. */
  readonly extra: readonly TrajectoryCall[];
}

/**
 * Compares the tool calls of a run with those of a reference run. Each call counts once. In the mode
 * `strict` the order matters; in the other modes it does not.
 *
 * @param trace - the run.
 * @param reference - the run to compare it with.
 * @param options - the mode and the comparison of arguments.
 */
export function matchTrajectory(
  trace: Pick<ReasoningTrace, 'steps'>,
  reference: Pick<ReasoningTrace, 'steps'>,
  { mode = 'strict', sameInput = isEqualInput }: TrajectoryMatchOptions = {},
): TrajectoryMatch {
  assertFields('trace', trace, { steps: 'an array' });
  assertFields('reference', reference, { steps: 'an array' });
  const called = batchesOf(trace);
  const expected = batchesOf(reference);
  const isSame = (call: TrajectoryCall, other: TrajectoryCall): boolean =>
    call.tool === other.tool && sameInput(call, other);
  const pairs =
    mode === 'strict'
      ? alignBatches(called, expected, isSame)
      : pairCalls(called.flat(), expected.flat(), isSame);
  const extra = called.flat().filter((call) => !pairs.has(call));
  const found = new Set(pairs.values());
  const missing = expected.flat().filter((call) => !found.has(call));
  const precision = share(pairs.size, pairs.size + extra.length);
  const recall = share(pairs.size, pairs.size + missing.length);
  const sum = precision + recall;
  const f1 = sum === 0 ? 0 : (2 * precision * recall) / sum;
  const lacksNothing = mode === 'subset' || missing.length === 0;
  const addsNothing = mode === 'superset' || extra.length === 0;
  const isInBatches = mode !== 'strict' || called.length === expected.length;
  return {
    matches: lacksNothing && addsNothing && isInBatches,
    precision,
    recall,
    f1,
    missing,
    extra,
  };
}

type Pairs = Map<TrajectoryCall, TrajectoryCall>;
type IsSame = (call: TrajectoryCall, other: TrajectoryCall) => boolean;

/** Groups the calls of a run into batches. Calls without a thought or observation in between are parallel. */
function batchesOf({ steps }: Pick<ReasoningTrace, 'steps'>): TrajectoryCall[][] {
  const batches: TrajectoryCall[][] = [];
  let isOpen = false;
  for (const { tool, input = {} } of steps) {
    if (tool === undefined) isOpen = false;
    else {
      if (!isOpen) batches.push([]);
      batches.at(-1)?.push({ tool: tool.name, input });
      isOpen = true;
    }
  }
  return batches;
}

/** Pairs as many calls as possible, each once: a maximum bipartite matching by augmenting paths. */
function pairCalls(
  called: readonly TrajectoryCall[],
  expected: readonly TrajectoryCall[],
  isSame: IsSame,
): Pairs {
  const callOf = new Map<TrajectoryCall, TrajectoryCall>();
  const find = (call: TrajectoryCall, seen: Set<TrajectoryCall>): boolean => {
    for (const other of expected) {
      if (seen.has(other) || !isSame(call, other)) continue;
      seen.add(other);
      const holder = callOf.get(other);
      if (holder !== undefined && !find(holder, seen)) continue;
      callOf.set(other, call);
      return true;
    }
    return false;
  };
  for (const call of called) find(call, new Set());
  return new Map([...callOf].map(([other, call]) => [call, other]));
}

/** Aligns batches in order so that the number of paired calls is maximal. */
function alignBatches(
  called: readonly TrajectoryCall[][],
  expected: readonly TrajectoryCall[][],
  isSame: IsSame,
): Pairs {
  const most: number[][] = [new Array<number>(expected.length + 1).fill(0)];
  for (const [row, batch] of called.entries()) {
    const above = most[row] as number[];
    const counts = [0];
    for (const [column, other] of expected.entries()) {
      const both = (above[column] as number) + pairCalls(batch, other, isSame).size;
      counts.push(Math.max(both, above[column + 1] as number, counts[column] as number));
    }
    most.push(counts);
  }
  const pairs: Pairs = new Map();
  let row = called.length;
  let column = expected.length;
  while (row > 0 && column > 0) {
    const count = most[row]?.[column];
    if (count === most[row - 1]?.[column]) row -= 1;
    else if (count === most[row]?.[column - 1]) column -= 1;
    else {
      row -= 1;
      column -= 1;
      const paired = pairCalls(called[row] ?? [], expected[column] ?? [], isSame);
      for (const [call, other] of paired) pairs.set(call, other);
    }
  }
  return pairs;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

const canonicalOf = new WeakMap<TrajectoryCall, string>();

function isEqualInput(called: TrajectoryCall, expected: TrajectoryCall): boolean {
  return canonicalInput(called) === canonicalInput(expected);
}

function canonicalInput(call: TrajectoryCall): string {
  const text = canonicalOf.get(call) ?? canonical(call.input);
  canonicalOf.set(call, text);
  return text;
}

/** Formats a value as JSON with sorted keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${fields.join()}}`;
}
