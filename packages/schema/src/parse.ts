import { TraceValidationError } from './errors.ts';
import { isStep, isSurelyTrace } from './generated/is-surely-trace.ts';
import { fromZodIssue, type TraceIssue } from './issues.ts';
import { findExceededLimit, resolveLimits, type TraceLimits } from './limits.ts';
import { type ReasoningTrace, ReasoningTraceSchema } from './reasoning-trace.ts';

export interface ParseTraceOptions {
  /** Replaces single limits of {@link DEFAULT_TRACE_LIMITS}. */
  readonly limits?: Partial<TraceLimits> | undefined;
}

export type SafeParseTraceResult =
  | { readonly success: true; readonly data: ReasoningTrace }
  | { readonly success: false; readonly error: TraceValidationError };

/**
 * Checks that a value is a `ReasoningTrace`.
 *
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

/** {@link parseTrace} with the error as a value. Throws only for limits that are not usable. */
export function safeParseTrace(input: unknown, options?: ParseTraceOptions): SafeParseTraceResult {
  const limits = resolveLimits(options?.limits);
  const exceeded = findExceededLimit(input, limits);
  if (exceeded !== undefined) return failure([exceeded], 0, input);
  if (isSurelyTrace(input)) return { success: true, data: input as ReasoningTrace };
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

/** As much of a trace as can fill the list of problems. */
interface Excerpt {
  readonly trace: unknown;
  /** Where each of its steps is in the trace; undefined when all are where they were. */
  readonly places: readonly number[] | undefined;
  /** Steps left out that are not surely valid. */
  readonly skipped: number;
}

/** zod takes half a second to list the problems of 100,000 bad steps. */
function excerptOf(input: unknown, maxIssues: number): Excerpt {
  const whole = { trace: input, places: undefined, skipped: 0 };
  if (typeof input !== 'object' || input === null) return whole;
  const prototype: unknown = Object.getPrototypeOf(input);
  // Fields of a class would be lost in a copy.
  if (prototype !== Object.prototype && prototype !== null) return whole;
  const { steps } = input as { readonly steps?: unknown };
  if (!Array.isArray(steps) || steps.length <= maxIssues) return whole;
  const doubtful: number[] = [];
  for (let index = 0; index < steps.length; index++) {
    if (!isStep(steps[index])) doubtful.push(index);
  }
  const places = doubtful.length === 0 ? [0] : doubtful.slice(0, maxIssues);
  const trace = { ...input, steps: places.map((index) => steps[index]) };
  return { trace, places, skipped: Math.max(0, doubtful.length - places.length) };
}

function placeIn({ places }: Excerpt, path: PropertyKey[]): PropertyKey[] {
  const [first, index, ...rest] = path;
  if (places === undefined || first !== 'steps' || typeof index !== 'number') return path;
  return [first, places[index] ?? index, ...rest];
}

const ID_SHOWN = 100;

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
