import type { Position } from './value-buffer.ts';

/** Keeps count of lines and columns over chunks. */
export class LineCounter {
  line = 1;
  /** Index of the current line's first byte, relative to the current chunk (negative if earlier). */
  #lineStart = 0;

  /** Notes a line break at `index` of the current chunk. */
  countAt(index: number): void {
    this.line += 1;
    this.#lineStart = index + 1;
  }

  /** Goes on to the next chunk after one of `length` bytes. */
  nextChunk(length: number): void {
    this.#lineStart -= length;
  }

  /** The position of `index` of the current chunk. */
  at(index: number): Position {
    return { line: this.line, column: index - this.#lineStart + 1 };
  }
}
