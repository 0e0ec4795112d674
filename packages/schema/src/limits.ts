import { describeValue, isPlainObject } from '@kp/foundation';
import { TraceLimitsError } from './errors.ts';
import { createIssue, type TraceIssue } from './issues.ts';

/**
 * Limits on the size of a trace and on the number of reported problems. The defaults are about a hundred
 * times what the largest recorded agent runs need (550 steps, a text of 942,000 characters), so a hostile
 * trace is rejected before any expensive processing.
 */
export interface TraceLimits {
  /** Maximum number of steps. */
  readonly maxSteps: number;
  /** Maximum nesting of objects and arrays, counting the trace itself; at most 1,000. */
  readonly maxDepth: number;
  /** Maximum UTF-16 code units of a single text or key. */
  readonly maxTextLength: number;
  /** Maximum UTF-16 code units of all texts together, without keys. */
  readonly maxTotalTextLength: number;
  /** Maximum number of fields and entries of all objects and arrays together. */
  readonly maxValues: number;
  /** Maximum number of problems that an error lists; it counts further ones. */
  readonly maxIssues: number;
}

/** The default limits. */
export const DEFAULT_TRACE_LIMITS: TraceLimits = Object.freeze({
  maxSteps: 100_000,
  maxDepth: 64,
  maxTextLength: 10_000_000,
  maxTotalTextLength: 100_000_000,
  maxValues: 2_000_000,
  maxIssues: 100,
});

// The walk below recurses; 1,000 levels fit every engine's stack.
const DEEPEST_ALLOWED = 1000;

/**
 * Validates the limits and fills in the defaults.
 *
 * @param limits - limits that differ from the defaults.
 * @throws {@link TraceLimitsError} if a limit is not a positive integer or Infinity, `maxDepth` exceeds
 *   1,000, or a name is unknown.
 */
export function resolveLimits(limits: Partial<TraceLimits> | undefined): TraceLimits {
  if (limits === undefined) return DEFAULT_TRACE_LIMITS;
  if (!isPlainObject(limits)) {
    throw new TraceLimitsError('limits', 'a plain object of limits', describeValue(limits));
  }
  const resolved: Record<string, number> = { ...DEFAULT_TRACE_LIMITS };
  for (const [limit, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(DEFAULT_TRACE_LIMITS, limit)) {
      const names = Object.keys(DEFAULT_TRACE_LIMITS).join(', ');
      throw new TraceLimitsError('limits', `one of ${names}`, limit);
    }
    if (value !== Number.POSITIVE_INFINITY && !(Number.isInteger(value) && value > 0)) {
      throw new TraceLimitsError(limit, 'a positive whole number', describeValue(value));
    }
    if (limit === 'maxDepth' && value > DEEPEST_ALLOWED) {
      throw new TraceLimitsError(limit, `at most ${DEEPEST_ALLOWED}`, `${value}`);
    }
    resolved[limit] = value;
  }
  return resolved as unknown as TraceLimits;
}

/**
 * Finds the first limit that a value exceeds; undefined if there is none. Visits at most `maxValues`
 * values, also in a cyclic structure.
 */
export function findExceededLimit(input: unknown, limits: TraceLimits): TraceIssue | undefined {
  const steps = stepsOf(input);
  if (steps !== undefined && steps.length > limits.maxSteps) {
    return createIssue(
      ['steps'],
      `at most ${limits.maxSteps} steps (limit maxSteps)`,
      `${steps.length}`,
    );
  }
  if (isWithin(input, 1, limits, { values: 0, textLength: 0 })) return undefined;
  return visit(input, 1, { limits, path: [], values: 0, textLength: 0 });
}

/** What was counted so far. */
interface Tally {
  values: number;
  textLength: number;
}

/** Like {@link visit}, without the path to a problem: nearly all values have none. */
function isWithin(value: unknown, depth: number, limits: TraceLimits, tally: Tally): boolean {
  if (typeof value === 'string') {
    tally.textLength += value.length;
    return value.length <= limits.maxTextLength && tally.textLength <= limits.maxTotalTextLength;
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true;
  if (depth > limits.maxDepth) return false;
  if (Array.isArray(value)) {
    const { length } = value;
    tally.values += length;
    if (tally.values > limits.maxValues) return false;
    for (let index = 0; index < length; index++) {
      if (!isWithin(value[index], depth + 1, limits, tally)) return false;
    }
    return true;
  }
  const keys = Object.keys(value);
  tally.values += keys.length;
  if (tally.values > limits.maxValues) return false;
  for (const key of keys) {
    if (key.length > limits.maxTextLength) return false;
    if (!isWithin(Reflect.get(value, key), depth + 1, limits, tally)) return false;
  }
  return true;
}

interface Walk {
  readonly limits: TraceLimits;
  readonly path: PropertyKey[];
  values: number;
  textLength: number;
}

function stepsOf(input: unknown): readonly unknown[] | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const steps: unknown = Reflect.get(input, 'steps');
  return Array.isArray(steps) ? steps : undefined;
}

function visit(value: unknown, depth: number, walk: Walk): TraceIssue | undefined {
  if (typeof value === 'string') return visitText(value, walk);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  if (depth > walk.limits.maxDepth) {
    return exceeded(walk, `at most ${walk.limits.maxDepth} levels (limit maxDepth)`, 'more');
  }
  return Array.isArray(value) ? visitArray(value, depth, walk) : visitObject(value, depth, walk);
}

function visitArray(array: readonly unknown[], depth: number, walk: Walk): TraceIssue | undefined {
  // Read the length once: a proxy may return another one every time.
  const { length } = array;
  const issue = count(length, walk);
  if (issue !== undefined) return issue;
  for (let index = 0; index < length; index++) {
    walk.path.push(index);
    const found = visit(array[index], depth + 1, walk);
    if (found !== undefined) return found;
    walk.path.pop();
  }
  return undefined;
}

function visitObject(object: object, depth: number, walk: Walk): TraceIssue | undefined {
  const keys = Object.keys(object);
  const issue = count(keys.length, walk);
  if (issue !== undefined) return issue;
  for (const key of keys) {
    walk.path.push(key);
    if (key.length > walk.limits.maxTextLength) return textExceeded(walk, key.length);
    const found = visit(Reflect.get(object, key), depth + 1, walk);
    if (found !== undefined) return found;
    walk.path.pop();
  }
  return undefined;
}

function visitText(text: string, walk: Walk): TraceIssue | undefined {
  walk.textLength += text.length;
  if (text.length > walk.limits.maxTextLength) return textExceeded(walk, text.length);
  if (walk.textLength > walk.limits.maxTotalTextLength) {
    const expected = `${walk.limits.maxTotalTextLength} characters of text in all (limit maxTotalTextLength)`;
    return createIssue([], `at most ${expected}`, `more, counted up to ${walk.path.join('.')}`);
  }
  return undefined;
}

function count(added: number, walk: Walk): TraceIssue | undefined {
  walk.values += added;
  if (walk.values <= walk.limits.maxValues) return undefined;
  return createIssue([], `at most ${walk.limits.maxValues} values (limit maxValues)`, 'more');
}

function textExceeded(walk: Walk, length: number): TraceIssue {
  const expected = `at most ${walk.limits.maxTextLength} characters (limit maxTextLength)`;
  return exceeded(walk, expected, `${length}`);
}

function exceeded(walk: Walk, expected: string, received: string): TraceIssue {
  return createIssue(walk.path, expected, received);
}
