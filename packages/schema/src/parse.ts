import { TraceValidationError } from './errors.ts';
import {
  isEntity,
  isRelationship,
  isStep,
  isText,
  isTraceFast,
} from './generated/is-trace-fast.ts';
import { createIssue, fromZodIssue, type TraceIssue, valueAt } from './issues.ts';
import { findExceededLimit, resolveLimits, type TraceLimits } from './limits.ts';
import { type ReasoningTrace, ReasoningTraceSchema } from './reasoning-trace.ts';

/** How large a trace may be. */
export interface ParseTraceOptions {
  /** Replaces single limits of {@link DEFAULT_TRACE_LIMITS}. */
  readonly limits?: Partial<TraceLimits>;
}

/** The trace, or what is wrong with it. */
export type SafeParseTraceResult =
  | { readonly success: true; readonly data: ReasoningTrace }
  | { readonly success: false; readonly error: TraceValidationError };

/**
 * Checks that a value is a `ReasoningTrace`.
 *
 * @param input - anything.
 * @returns the value itself, not a copy: everything that came in is still there, in the same
 * order, unknown fields and a field called `__proto__` included.
 * @throws {@link TraceValidationError} with the problems, at most `maxIssues` of them, or with the
 * first limit exceeded (then nothing else was looked at).
 */
export function parseTrace(input: unknown, options?: ParseTraceOptions): ReasoningTrace {
  const result = safeParseTrace(input, options);
  if (result.success) return result.data;
  throw result.error;
}

/**
 * {@link parseTrace} with the error as a value. Throws only for limits that are not usable.
 *
 * @param input - anything.
 */
export function safeParseTrace(input: unknown, options?: ParseTraceOptions): SafeParseTraceResult {
  const limits = resolveLimits(options?.limits);
  if (isPromise(input)) {
    return failure([createIssue([], 'a trace', 'a promise of one; await it first')], 0, input);
  }
  const exceeded = findExceededLimit(input, limits);
  if (exceeded !== undefined) return failure([exceeded], 0, input);
  if (isTraceFast(input)) return { success: true, data: input as ReasoningTrace };
  // The schema transforms nothing, so the input is the result; zod's copy would lose `__proto__`.
  const excerpt = excerptOf(input, limits.maxIssues);
  let parsed = ReasoningTraceSchema.safeParse(excerpt.trace);
  if (parsed.success && excerpt.skipped > 0) parsed = ReasoningTraceSchema.safeParse(input);
  if (parsed.success) return { success: true, data: input as ReasoningTrace };
  const { issues } = parsed.error;
  const listed = issues
    .slice(0, limits.maxIssues)
    .map((issue) => fromZodIssue({ ...issue, path: placeIn(excerpt, issue.path) }, input));
  return failure(listed, issues.length - listed.length + excerpt.skipped, input);
}

/** The lists in a trace that may be long, and what is surely one of their items. */
const LISTS: readonly (readonly [path: readonly string[], isItem: (item: unknown) => boolean])[] = [
  [['steps'], isStep],
  [['metadata', 'validated_by'], isText],
  [['knowledge_graph_delta', 'entities'], isEntity],
  [['knowledge_graph_delta', 'relationships'], isRelationship],
];

/** As much of a trace as can fill the list of problems. */
interface Excerpt {
  readonly trace: unknown;
  /** Where in the trace the items are of each list, by its path, that was shortened. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** Items left out that are not surely valid. */
  readonly skipped: number;
}

/** zod takes half a second to list the problems of 100,000 bad steps. */
function excerptOf(input: unknown, maxIssues: number): Excerpt {
  const places = new Map<string, readonly number[]>();
  let trace = input;
  let skipped = 0;
  for (const [path, isItem] of LISTS) {
    const list = valueAt(input, path);
    if (!Array.isArray(list)) continue;
    const { length } = list;
    if (length <= maxIssues) continue;
    const doubtful: number[] = [];
    for (let index = 0; index < length; index++) {
      if (!isItem(list[index])) doubtful.push(index);
    }
    const taken = doubtful.length === 0 ? [0] : doubtful.slice(0, maxIssues);
    const items = taken.map((index): unknown => list[index]);
    trace = replaced(trace, path, items);
    places.set(path.join('.'), taken);
    skipped += Math.max(0, doubtful.length - taken.length);
  }
  return { trace, places, skipped };
}

/** An object with another value at a path. It inherits all else, also what a class has. */
function replaced(object: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = replaced(valueAt(object, [key]), rest, value);
  return Object.create(object as object, { [key]: { value: inner } });
}

function placeIn({ places }: Excerpt, path: PropertyKey[]): PropertyKey[] {
  for (const depth of [1, 2]) {
    const index = path[depth];
    const taken = places.get(path.slice(0, depth).map(String).join('.'));
    if (taken === undefined || typeof index !== 'number') continue;
    return [...path.slice(0, depth), taken[index] ?? index, ...path.slice(depth + 1)];
  }
  return path;
}

const ID_SHOWN = 100;

/** A forgotten `await`; a hostile proxy is left to the validation. */
function isPromise(input: unknown): boolean {
  try {
    return input instanceof Promise;
  } catch {
    return false;
  }
}

function failure(
  listed: readonly TraceIssue[],
  unlisted: number,
  input: unknown,
): SafeParseTraceResult {
  const [first, ...rest] = listed;
  if (first === undefined)
    throw new TypeError('trace: expected a problem to report, received none');
  const error = new TraceValidationError([first, ...rest], { traceId: traceIdOf(input), unlisted });
  return { success: false, error };
}

function traceIdOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const id: unknown = Reflect.get(input, 'id');
  if (typeof id !== 'string' || id.length > ID_SHOWN) return undefined;
  return /^[\x21-\x7e]+$/.test(id) ? id : undefined;
}
