import type { JsonObject } from '../json/json-value.ts';

/**
 * Whether a stream was cut off: it was opened and not closed since, because its program was stopped, or its output was
 * no longer read.
 *
 * @param events - in recorded order.
 * @param isOpening - whether an event opens the stream, or a turn of it.
 * @param isClosing - whether an event closes it, which the program writes after success and after failure.
 */
export function isCutOff(
  events: readonly JsonObject[],
  isOpening: (event: JsonObject) => boolean,
  isClosing: (event: JsonObject) => boolean,
): boolean {
  return events.findLastIndex(isOpening) > events.findLastIndex(isClosing);
}
