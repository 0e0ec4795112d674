import type { ImportProblem } from '../errors/errors.ts';
import type { JsonValue } from '../json/json-value.ts';
import { LINE_FEED } from './bytes.ts';
import { ValueBuffer } from './value-buffer.ts';

/** A JSON value and its position in the input, or the problem in its place. */
export type JsonItem =
  | {
      /** Line of the value; the first line is 1. */
      readonly line: number;
      readonly endLine: number;
      /** Index of the top-level value that this is, or is an element of; the first is 0. */
      readonly document: number;
      /** Index in the top-level array; absent if the value is itself top-level. */
      readonly index?: number;
      /** Length of the value's text in bytes. */
      readonly bytes?: number;
      readonly value: JsonValue;
      /** Path within an archive; absent outside archives. */
      readonly entry?: string;
    }
  | {
      readonly line: number;
      readonly error: ImportProblem;
      readonly entry?: string;
    };

/** Converts arbitrary chunks of bytes to items. */
export interface JsonReader {
  push(chunk: Uint8Array): Iterable<JsonItem>;
  /** Yields the remaining items after the last chunk. */
  end(): Iterable<JsonItem>;
  /** The current line. */
  readonly line: number;
}

/** Reads JSON Lines. An invalid line affects only itself. */
export function createLineReader(maxValueBytes: number): JsonReader {
  const buffer = new ValueBuffer(maxValueBytes);
  let line = 1;
  let count = 0;

  const finishLine = (): JsonItem | undefined => {
    const parsed = buffer.take({ line, column: 1 });
    if (parsed === undefined) return undefined;
    if ('error' in parsed) return { line, error: parsed.error };
    const { bytes, value } = parsed;
    return { line, endLine: line, document: count++, bytes, value };
  };

  return {
    *push(chunk) {
      let start = 0;
      for (;;) {
        const end = chunk.indexOf(LINE_FEED, start);
        if (end === -1) break;
        buffer.append(chunk, start, end);
        const item = finishLine();
        line += 1;
        start = end + 1;
        if (item !== undefined) yield item;
      }
      buffer.append(chunk, start, chunk.length);
    },
    *end() {
      const item = finishLine();
      if (item !== undefined) yield item;
    },
    get line() {
      return line;
    },
  };
}
