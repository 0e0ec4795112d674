/** Room for rows in one piece of memory. */
export interface Segment {
  readonly start: number;
  /** Rows that may be used. */
  readonly rows: number;
  /** Rows there is room for: `rows` rounded up to a whole block. */
  readonly capacity: number;
}

/** Where segments come from and go to. */
export interface SegmentSource {
  /** @throws when there is no memory left. */
  create(rows: number): Segment;
  destroy(segment: Segment): void;
  /** Told the segments in the order of the ring whenever it changes; the first follows the last. */
  link(segments: readonly Segment[]): void;
  /** Copies one row over another; both segments have been linked. */
  move(from: Segment, fromRow: number, to: Segment, toRow: number): void;
}

/** What lies before the rows of a segment; see `assembly/index.ts`. */
export const SEGMENT_HEAD_BYTES = 64;

const FIRST_ROWS = 16;
const MAX_ROWS = 2048;

/**
 * Which row of which segment holds the entry of a position: a ring over a list of segments. It
 * grows a segment at a time and moves rows only to {@link compact} them; segments whose rows are all
 * gone are used again or given back. When `limit` rows are there, the newest rows follow into the
 * freed ones of the oldest segment: then the ring "is wrapped", and the first segment is also the
 * last.
 */
export class SegmentRing {
  readonly #source: SegmentSource;
  /** Rows kept at most. */
  limit: number;
  /** From the segment of the oldest row on. */
  segments: Segment[] = [];
  #spare: Segment | undefined;
  /** Rows there is room for. */
  capacity = 0;
  /** Row of the oldest entry in the first segment. */
  head = 0;
  /** Rows written in the last segment; in the first one when wrapped. */
  tail = 0;
  isWrapped = false;
  size = 0;

  constructor(source: SegmentSource, limit: number) {
    this.#source = source;
    this.limit = limit;
  }

  /** Rows the next segment would have, when one is needed. */
  get nextRows(): number {
    const rows = Math.min(MAX_ROWS, Math.max(FIRST_ROWS, this.capacity * 3));
    return Math.min(rows, this.limit - this.capacity);
  }

  /** Whether the next {@link push} needs a segment that is not there. */
  get needsSegment(): boolean {
    if (this.isWrapped || this.#spare !== undefined) return false;
    const last = this.segments.at(-1);
    if (last !== undefined && this.tail < last.rows) return false;
    return this.capacity < this.limit;
  }

  /** The segment and the row in it of the entry at a position. */
  locate(position: number): { segment: Segment; row: number } {
    let row = this.head + position;
    let index = 0;
    for (; row >= this.segments[index].rows; index++) {
      row -= this.segments[index].rows;
      if (index === this.segments.length - 1) index = -1;
    }
    return { segment: this.segments[index], row };
  }

  /** Makes the segment that is needed. Nothing has changed when the source throws. */
  reserve(): void {
    this.#spare = this.#source.create(this.nextRows);
    this.capacity += this.#spare.rows;
  }

  /** The segment for the next row, its row `tail - 1`. After `reserve`, with fewer than `limit`. */
  push(): Segment {
    const segment = this.#openSegment();
    this.tail++;
    this.size++;
    return segment;
  }

  /** Forgets the oldest `count` rows; when none is left, their segments stay for the next ones. */
  drop(count: number): void {
    this.size -= count;
    this.head += count;
    for (let first = this.segments[0]; first !== undefined && this.head >= first.rows; ) {
      this.#passFirst(first);
      first = this.segments[0];
    }
  }

  /** Lets the ring hold up to `limit` rows. Nothing has changed when the source throws. */
  raiseLimit(limit: number): void {
    if (this.isWrapped) this.#unwrap(this.segments[0]);
    this.limit = Math.max(limit, this.capacity);
  }

  /** Gives up the rows for which `isErased`: each one left moves up to the next one left. */
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
    this.#giveUpSpare();
  }

  /** Gives all segments back; the ring is of no use any more. */
  clear(): void {
    for (const segment of this.segments) this.#source.destroy(segment);
    this.#giveUpSpare();
    this.segments = [];
  }

  /** Puts other segments with the same rows in the place of all, when {@link needsSegment}. */
  replace(segments: Segment[]): void {
    this.segments = segments;
    this.#source.link(segments);
  }

  /** The oldest row is no longer in the first segment. */
  #passFirst(first: Segment): void {
    this.segments.shift();
    this.head -= first.rows;
    if (this.isWrapped) {
      this.segments.push(first);
      this.isWrapped = false;
    } else {
      this.#giveUpSpare();
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

  /** Moves the oldest rows out of the first segment, which is then the last one only. */
  #unwrap(first: Segment): void {
    const copy = this.#source.create(first.rows);
    this.capacity += copy.rows;
    this.segments = [copy, ...this.segments.slice(1), first];
    this.isWrapped = false;
    this.#source.link(this.segments);
    for (let row = this.head; row < first.rows; row++) this.#source.move(first, row, copy, row);
  }

  #giveUpSpare(): void {
    if (this.#spare === undefined) return;
    this.capacity -= this.#spare.rows;
    this.#source.destroy(this.#spare);
    this.#spare = undefined;
  }
}
