import { isTraceFast as hasTraceShape } from './generated/is-trace-fast.ts';
import { findExceededLimit, resolveLimits, type TraceLimits } from './limits.ts';
import type { ReasoningTrace } from './reasoning-trace.ts';

/**
 * Whether a value is a valid trace, as far as can be told without the schema library, which takes longer
 * to load than most files take to check.
 *
 * @param input - any value.
 * @param limits - limits that differ from the defaults.
 * @returns false if the trace is invalid, or if only {@link parseTrace} can tell.
 */
export function isTraceFast(
  input: unknown,
  limits?: Partial<TraceLimits>,
): input is ReasoningTrace {
  return findExceededLimit(input, resolveLimits(limits)) === undefined && hasTraceShape(input);
}
