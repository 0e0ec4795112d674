import { isTraceFast as hasTraceShape } from './generated/is-trace-fast.ts';
import { findExceededLimit, resolveLimits, type TraceLimits } from './limits.ts';
import type { ReasoningTrace } from './reasoning-trace.ts';

/**
 * Whether a value is a valid trace, as far as can be told without the schema library, which takes longer
 * to load than most files take to check.
 *
 * @param input - any value.
 * @param limits - limits that differ from the defaults.
 * @param json - the JSON text from which `JSON.parse` made the input, if there is one: a short text with few
 *   brackets cannot exceed a limit, which takes less time to see than the values of the input.
 * @returns false if the trace is invalid, or if only {@link parseTrace} can tell.
 */
export function isTraceFast(
  input: unknown,
  limits?: Partial<TraceLimits>,
  json?: string,
): input is ReasoningTrace {
  const resolved = resolveLimits(limits);
  const isShort = json !== undefined && isWithinLimits(json, resolved);
  return (isShort || findExceededLimit(input, resolved) === undefined) && hasTraceShape(input);
}

/** Whether the value of a JSON text is certainly within the limits. False says nothing. */
function isWithinLimits(json: string, limits: TraceLimits): boolean {
  const { maxDepth, maxSteps, maxTextLength, maxTotalTextLength, maxValues } = limits;
  // No value has more steps, characters or values than its text has characters, nor more levels than brackets.
  if (json.length > Math.min(maxSteps, maxTextLength, maxTotalTextLength, maxValues)) return false;
  let levels = 0;
  for (const bracket of '{[') {
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1)) levels++;
  }
  return levels <= maxDepth;
}
