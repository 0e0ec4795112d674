import { describeProblem, type ImportProblem } from '../errors/errors.ts';
import type { JsonValue } from '../json/json-value.ts';
import { isBlankByte, type Position } from './bytes.ts';
import { locateSyntaxError } from './syntax-error.ts';

/** The outcome of parsing one collected value. */
export type ParsedValue =
  | { readonly value: JsonValue; readonly bytes: number }
  | { readonly error: ImportProblem };

/** Collects the bytes of one value over several chunks, and no more than a limit of them. */
export class ValueBuffer {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #pieces: Uint8Array[] = [];
  #length = 0;
  #overflowed = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes `chunk[start, end)`; the bytes are kept by reference until the value is parsed. */
  append(chunk: Uint8Array, start: number, end: number): void {
    this.#length += end - start;
    if (this.#length > this.#maxBytes) {
      this.#overflowed = true;
      this.#pieces = [];
    } else if (end > start) {
      this.#pieces.push(chunk.subarray(start, end));
    }
  }

  /** What was collected so far, in one piece; undefined when it was too much. */
  peek(): Uint8Array | undefined {
    return this.#overflowed ? undefined : this.#join();
  }

  /** Forgets what was collected. */
  clear(): void {
    this.#pieces = [];
    this.#length = 0;
    this.#overflowed = false;
  }

  /**
   * Parses what was collected and starts afresh.
   *
   * @param start - where the value begins, for the problem's position.
   * @returns undefined when there was nothing but blanks.
   */
  take(start: Position): ParsedValue | undefined {
    const bytes = this.#join();
    const length = this.#length;
    const overflowed = this.#overflowed;
    this.clear();
    if (overflowed) {
      const expected = `a value of at most ${this.#maxBytes} bytes`;
      return {
        error: describeProblem('VALUE_TOO_LONG', { line: start.line }, expected, `${length} bytes`),
      };
    }
    return bytes.every(isBlankByte) ? undefined : parseBytes(bytes, start, this.#decoder);
  }

  #join(): Uint8Array {
    const [first] = this.#pieces;
    if (this.#pieces.length === 1 && first !== undefined) return first;
    const joined = new Uint8Array(this.#overflowed ? 0 : this.#length);
    let offset = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, offset);
      offset += piece.length;
    }
    return joined;
  }
}

function parseBytes(bytes: Uint8Array, start: Position, decoder: TextDecoder): ParsedValue {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    const error = describeProblem(
      'INVALID_UTF8',
      { line: start.line },
      'UTF-8 text',
      'other bytes',
    );
    return { error };
  }
  try {
    return { value: JSON.parse(text) as JsonValue, bytes: bytes.length };
  } catch (cause) {
    const found = locateSyntaxError(text);
    if (found === undefined) {
      const { line } = start;
      const expected = 'a readable JSON value';
      return { error: describeProblem('INVALID_JSON', { line }, expected, String(cause)) };
    }
    const position = advance(start, text.slice(0, found.offset));
    return { error: describeProblem('INVALID_JSON', position, found.expected, found.received) };
  }
}

function advance(start: Position, text: string): Position {
  const lines = text.split('\n');
  const last = new TextEncoder().encode(lines[lines.length - 1]).length;
  if (lines.length === 1) return { line: start.line, column: start.column + last };
  return { line: start.line + lines.length - 1, column: last + 1 };
}
