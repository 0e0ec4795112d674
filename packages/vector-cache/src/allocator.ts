interface Span {
  start: number;
  bytes: number;
}

const ALIGNMENT = 64;

/** Allocates spans of one address range that grows at its end: first fit, freed spans merged. */
export class Allocator {
  readonly #free: Span[] = [];
  readonly #limit: number;
  readonly #grow: (end: number) => boolean;
  #end: number;
  /** Allocated bytes. */
  used = 0;

  /**
   * @param start - first address, a multiple of 64.
   * @param limit - end of the address range.
   * @param grow - called before the range grows, with its new end; returns false if memory is refused.
   */
  constructor(start: number, limit: number, grow: (end: number) => boolean) {
    this.#end = start;
    this.#limit = limit;
    this.#grow = grow;
  }

  /** @returns a multiple of 64; undefined if there is no room. */
  allocate(bytes: number): number | undefined {
    const wanted = roundUp(bytes);
    let index = this.#free.findIndex((span) => span.bytes >= wanted);
    if (index === -1) index = this.#extend(wanted);
    const span = this.#free[index];
    if (span === undefined) return undefined;
    const { start } = span;
    span.start += wanted;
    span.bytes -= wanted;
    if (span.bytes === 0) this.#free.splice(index, 1);
    this.used += wanted;
    return start;
  }

  /** Frees a span that {@link allocate} returned for the same number of bytes. */
  free(start: number, bytes: number): void {
    this.used -= roundUp(bytes);
    this.#release(start, roundUp(bytes));
  }

  /** Extends the last free span, or adds one, to this length; -1 if memory is refused. */
  #extend(wanted: number): number {
    const last = this.#free.at(-1);
    const there = last !== undefined && last.start + last.bytes === this.#end ? last.bytes : 0;
    const end = this.#end + wanted - there;
    if (end > this.#limit || !this.#grow(end)) return -1;
    const start = this.#end;
    this.#end = end;
    this.#release(start, end - start);
    return this.#free.length - 1;
  }

  /** Inserts a free span in order of address, and merges it with its neighbours. */
  #release(start: number, bytes: number): void {
    const spans = this.#free;
    let index = 0;
    for (let high = spans.length; index < high; ) {
      const middle = (index + high) >> 1;
      if (spans[middle].start < start) index = middle + 1;
      else high = middle;
    }
    const span = { start, bytes };
    const after = spans[index];
    const before = spans[index - 1];
    const joinsAfter = after !== undefined && start + bytes === after.start;
    if (joinsAfter) span.bytes += after.bytes;
    if (before !== undefined && before.start + before.bytes === start) {
      before.bytes += span.bytes;
      if (joinsAfter) spans.splice(index, 1);
    } else {
      spans.splice(index, joinsAfter ? 1 : 0, span);
    }
  }
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
