import type { ImportProblem } from '../errors/errors.ts';
import type { JsonValue } from '../json/json-value.ts';
import { LINE_FEED } from './bytes.ts';
import { ValueBuffer } from './value-buffer.ts';

/** One JSON value of the input with its place, or what kept one from being read. */
export type JsonItem =
  | {
      /** First and last line of the value, from 1. */
      readonly line: number;
      readonly endLine: number;
      /** Which top-level value of the input this is or is an element of, from 0. */
      readonly document: number;
      /** Place in the top-level array, from 0; absent when the value is itself at the top. */
      readonly index?: number;
      /** Length of its text. */
      readonly bytes?: number;
      readonly value: JsonValue;
      /** Which file of an archive it is from; absent outside of archives. */
      readonly entry?: string;
    }
  | {
      readonly line: number;
      readonly error: ImportProblem;
      readonly entry?: string;
    };

/** Turns chunks of bytes into items; the chunks may be cut anywhere. */
export interface JsonReader {
  push(chunk: Uint8Array): Iterable<JsonItem>;
  /** What is left once the last chunk has been pushed. */
  end(): Iterable<JsonItem>;
  /** The line that the reader has come to. */
  readonly line: number;
}

/** Reads JSON Lines: every line is a value, and a bad line costs no more than itself. */
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
