/** Structural bytes of JSON. Bytes of multi-byte UTF-8 characters are all 0x80 or above. */
export const LINE_FEED = 0x0a;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** Whether `byte` is JSON white space. */
export function isBlankByte(byte: number): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

/** Whether a JSON value can start with `byte`. */
export function beginsValue(byte: number): boolean {
  return (
    byte === QUOTE ||
    byte === OPEN_BRACE ||
    byte === OPEN_BRACKET ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d || // -
    byte === 0x74 || // true
    byte === 0x66 || // false
    byte === 0x6e // null
  );
}

/** Formats a byte for a message: as a character if it is printable, otherwise as a number. */
export function describeByte(byte: number): string {
  if (byte === LINE_FEED || byte === 0x0d) return 'a line break';
  if (byte > 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `the byte 0x${byte.toString(16).padStart(2, '0')}`;
}

/** Bytes that end or escape a string, or must not occur in one. */
const TEXT_MARKS: readonly number[] = [QUOTE, BACKSLASH, LINE_FEED];
/** Below this length a byte loop is faster than `indexOf`. */
const SHORT_BYTES = 32;

/** Finds the ends of strings in a chunk. It scans each byte at most once per mark. */
export class TextScanner {
  /** The next index of each mark. */
  readonly #next: number[] = TEXT_MARKS.map(() => -1);

  /** Continues with another chunk. */
  nextChunk(): void {
    this.#next.fill(-1);
  }

  /**
   * Returns the index of the first unescaped quote or line break at or after `from`, or of a backslash at
   * the end of a line or chunk; the chunk's length if there is none. `from` must not decrease within a
   * chunk.
   */
  endOf(chunk: Uint8Array, from: number): number {
    let stretch = from;
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      if (byte === QUOTE || byte === LINE_FEED) return index;
      if (byte === BACKSLASH) {
        const escaped = chunk[index + 1];
        if (escaped === undefined || escaped === LINE_FEED) return index;
        index += 1;
        stretch = index + 1;
      } else if (index - stretch === SHORT_BYTES) {
        index = this.#nextMark(chunk, index) - 1;
        stretch = index + 1;
      }
    }
    return chunk.length;
  }

  #nextMark(chunk: Uint8Array, from: number): number {
    let nearest = chunk.length;
    for (const [kind, byte] of TEXT_MARKS.entries()) {
      let at = this.#next[kind] as number;
      if (at < from) {
        at = chunk.indexOf(byte, from);
        if (at === -1) at = chunk.length;
        this.#next[kind] = at;
      }
      nearest = Math.min(nearest, at);
    }
    return nearest;
  }
}

/** A position in the input: line and column start at 1; columns count bytes. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Counts lines and columns across chunks. */
export class LineCounter {
  line = 1;
  /** Index of the first byte of the current line, relative to the current chunk; may be negative. */
  #lineStart = 0;

  /** Records a line break at `index` of the current chunk. */
  countAt(index: number): void {
    this.line += 1;
    this.#lineStart = index + 1;
  }

  /** Continues with the next chunk after one of `length` bytes. */
  nextChunk(length: number): void {
    this.#lineStart -= length;
  }

  /** Returns the position of `index` in the current chunk. */
  at(index: number): Position {
    return { line: this.line, column: index - this.#lineStart + 1 };
  }
}
