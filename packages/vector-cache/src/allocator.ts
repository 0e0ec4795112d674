interface Span {
  start: number;
  bytes: number;
}

const ALIGNMENT = 64;

/** Hands out places in one address range that grows at its end: first fit, freed spans merged. */
export class Allocator {
  readonly #free: Span[] = [];
  readonly #limit: number;
  #end: number;
  #used = 0;

  /**
   * @param start - first address handed out, a multiple of 64.
   * @param limit - no address from here on is handed out.
   */
  constructor(start: number, limit: number) {
    this.#end = start;
    this.#limit = limit;
  }

  /** One more than the highest address handed out so far. */
  get end(): number {
    return this.#end;
  }

  /** Bytes handed out and not freed. */
  get used(): number {
    return this.#used;
  }

  /** @returns a multiple of 64; undefined when there is no room. */
  allocate(bytes: number): number | undefined {
    const wanted = roundUp(bytes);
    const index = this.#free.findIndex((span) => span.bytes >= wanted);
    const span = this.#free[index];
    if (span === undefined && this.#end + wanted > this.#limit) return undefined;
    this.#used += wanted;
    if (span === undefined) {
      const start = this.#end;
      this.#end += wanted;
      return start;
    }
    const { start } = span;
    span.start += wanted;
    span.bytes -= wanted;
    if (span.bytes === 0) this.#free.splice(index, 1);
    return start;
  }

  /** Takes back what {@link allocate} handed out for the same number of bytes. */
  free(start: number, bytes: number): void {
    const freed = roundUp(bytes);
    this.#used -= freed;
    let index = this.#free.findIndex((span) => span.start > start);
    if (index === -1) index = this.#free.length;
    const before = this.#free[index - 1];
    const after = this.#free[index];
    const joinsBefore = before !== undefined && before.start + before.bytes === start;
    const joinsAfter = after !== undefined && start + freed === after.start;
    if (joinsBefore && joinsAfter) {
      before.bytes += freed + after.bytes;
      this.#free.splice(index, 1);
    } else if (joinsBefore) {
      before.bytes += freed;
    } else if (joinsAfter) {
      after.start = start;
      after.bytes += freed;
    } else {
      this.#free.splice(index, 0, { start, bytes: freed });
    }
  }
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
