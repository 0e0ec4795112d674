import type { ImportProblem } from '../problem.ts';
import type { JsonValue } from './json-value.ts';

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
      readonly value: JsonValue;
    }
  | { readonly line: number; readonly error: ImportProblem };

/** Turns chunks of bytes into items; the chunks may be cut anywhere. */
export interface JsonReader {
  push(chunk: Uint8Array): Iterable<JsonItem>;
  /** What is left once the last chunk has been pushed. */
  end(): Iterable<JsonItem>;
  /** The line that the reader has come to. */
  readonly line: number;
}
