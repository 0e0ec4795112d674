import type { JsonObject } from '../json/json-value.ts';

/**
 * The last error among the events of a run, unless the agent went on after it: programs report each failed attempt of
 * a call that they repeat.
 *
 * @param events - in recorded order.
 * @param isError - whether an event is an error of the run.
 * @param isAnswer - whether an event after the error shows that the agent answered.
 */
export function finalError(
  events: readonly JsonObject[],
  isError: (event: JsonObject) => boolean,
  isAnswer: (event: JsonObject, error: JsonObject) => boolean,
): JsonObject | undefined {
  const place = events.findLastIndex((event) => isError(event));
  const error = events[place];
  if (error === undefined) return undefined;
  return events.slice(place + 1).some((event) => isAnswer(event, error)) ? undefined : error;
}
