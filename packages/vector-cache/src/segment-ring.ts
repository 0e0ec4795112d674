/** A contiguous piece of memory for rows. */
export interface Segment {
  readonly start: number;
  /** Number of usable rows. */
  readonly rows: number;
  /** `rows` rounded up to a whole block. */
  readonly capacity: number;
}

/** Allocates and frees segments. */
export interface SegmentSource {
  /** @throws when there is no memory left. */
  create(rows: number): Segment;
  destroy(segment: Segment): void;
  /** Called with the segments in ring order after each change; the first follows the last. */
  link(segments: readonly Segment[]): void;
  /** Copies one row over another; both segments have been linked. */
  move(from: Segment, fromRow: number, to: Segment, toRow: number): void;
}

/** Bytes before the rows of a segment; see `assembly/index.ts`. */
export const SEGMENT_HEAD_BYTES = 64;

const FIRST_ROWS = 16;
const MAX_ROWS = 2048;

/**
 * Maps positions to rows of segments, as a ring over a list of segments. It grows by one segment at a
 * time, and moves rows only to {@link compact} them. A segment without rows is reused or freed.
 * With `limit` rows, the newest rows use the free rows of the oldest segment: the ring is then
 * "wrapped", and its first segment is also its last.
 */
export class SegmentRing {
  readonly #source: SegmentSource;
  /** Maximum number of rows. */
  limit: number;
  /** In ring order; the first one has the oldest row. */
  segments: Segment[] = [];
  #spare: Segment | undefined;
  /** Number of rows of all segments. */
  capacity = 0;
  /** Row of the oldest entry in the first segment. */
  head = 0;
  /** Number of rows written in the last segment, or in the first one if wrapped. */
  tail = 0;
  isWrapped = false;
  size = 0;

  constructor(source: SegmentSource, limit: number) {
    this.#source = source;
    this.limit = limit;
  }

  /** Number of rows of the next segment. */
  get nextRows(): number {
    const rows = Math.min(MAX_ROWS, Math.max(FIRST_ROWS, this.capacity * 3));
    return Math.min(rows, this.limit - this.capacity);
  }

  /** Whether the next {@link push} needs another segment. */
  get needsSegment(): boolean {
    if (this.isWrapped || this.#spare !== undefined) return false;
    const last = this.segments.at(-1);
    if (last !== undefined && this.tail < last.rows) return false;
    return this.capacity < this.limit;
  }

  /** Returns the segment and the row of the entry at a position. */
  locate(position: number): { segment: Segment; row: number } {
    let row = this.head + position;
    let index = 0;
    for (; row >= this.segments[index].rows; index++) {
      row -= this.segments[index].rows;
      if (index === this.segments.length - 1) index = -1;
    }
    return { segment: this.segments[index], row };
  }

  /** Allocates the next segment. Changes nothing if the source throws. */
  reserve(): void {
    this.#spare = this.#source.create(this.nextRows);
    this.capacity += this.#spare.rows;
  }

  /** Appends a row and returns its segment, where it is row `tail - 1`. Needs a free row. */
  push(): Segment {
    const segment = this.#openSegment();
    this.tail++;
    this.size++;
    return segment;
  }

  /** Drops the oldest `count` rows. The last segment stays for further rows. */
  drop(count: number): void {
    this.size -= count;
    this.head += count;
    for (let first = this.segments[0]; first !== undefined && this.head >= first.rows; ) {
      this.#passFirst(first);
      first = this.segments[0];
    }
  }

  /** Raises the limit. Changes nothing if the source throws. */
  raiseLimit(limit: number): void {
    if (this.isWrapped) this.#unwrap(this.segments[0]);
    this.limit = Math.max(limit, this.capacity);
  }

  /** Removes the rows for which `isErased`; older rows move towards newer ones. */
  compact(isErased: (position: number) => boolean): void {
    let erased = 0;
    for (let position = this.size - 1; position >= 0; position--) {
      if (isErased(position)) {
        erased++;
      } else if (erased > 0) {
        const from = this.locate(position);
        const to = this.locate(position + erased);
        this.#source.move(from.segment, from.row, to.segment, to.row);
      }
    }
    this.drop(erased);
    this.#freeSpare();
  }

  /** Frees all segments; the ring cannot be used afterwards. */
  clear(): void {
    for (const segment of this.segments) this.#source.destroy(segment);
    this.#freeSpare();
    this.segments = [];
  }

  /**
   * Replaces all segments by copies. Call it only if {@link needsSegment}, so that there is no
   * spare segment.
   */
  replace(segments: Segment[]): void {
    this.segments = segments;
    this.#source.link(segments);
  }

  /** Removes the empty first segment from the ring. */
  #passFirst(first: Segment): void {
    this.segments.shift();
    this.head -= first.rows;
    if (this.isWrapped) {
      this.segments.push(first);
      this.isWrapped = false;
    } else {
      this.#freeSpare();
      this.#spare = first;
    }
    this.#source.link(this.segments);
  }

  #openSegment(): Segment {
    const last = this.isWrapped ? this.segments[0] : this.segments.at(-1);
    if (last !== undefined && this.tail < (this.isWrapped ? this.head : last.rows)) return last;
    this.tail = 0;
    if (this.#spare === undefined) {
      this.isWrapped = true;
      return this.segments[0];
    }
    const segment = this.#spare;
    this.#spare = undefined;
    this.segments.push(segment);
    this.#source.link(this.segments);
    return segment;
  }

  /** Moves the oldest rows to a copy of the first segment, which stays as the last one. */
  #unwrap(first: Segment): void {
    const copy = this.#source.create(first.rows);
    this.capacity += copy.rows;
    this.segments = [copy, ...this.segments.slice(1), first];
    this.isWrapped = false;
    this.#source.link(this.segments);
    for (let row = this.head; row < first.rows; row++) this.#source.move(first, row, copy, row);
  }

  #freeSpare(): void {
    if (this.#spare === undefined) return;
    this.capacity -= this.#spare.rows;
    this.#source.destroy(this.#spare);
    this.#spare = undefined;
  }
}
