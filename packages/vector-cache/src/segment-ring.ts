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
}

/** What lies before the rows of a segment; see `assembly/index.ts`. */
export const SEGMENT_HEAD_BYTES = 64;

const FIRST_ROWS = 64;
const MAX_ROWS = 2048;

/**
 * Which row of which segment holds the entry of a position: a ring over a list of segments. It
 * grows a segment at a time and never moves a row; segments whose rows are all gone are used again
 * or given back. When `maxElements` rows are there, the newest rows follow into the freed ones of
 * the oldest segment: then the ring "is wrapped", and the first segment is also the last.
 */
export class SegmentRing {
  readonly #source: SegmentSource;
  readonly #maxElements: number;
  /** From the segment of the oldest row on. */
  segments: Segment[] = [];
  #spare: Segment | undefined;
  #rows = 0;
  /** Row of the oldest entry in the first segment. */
  head = 0;
  /** Rows written in the last segment; in the first one when wrapped. */
  tail = 0;
  isWrapped = false;
  size = 0;

  constructor(source: SegmentSource, maxElements: number) {
    this.#source = source;
    this.#maxElements = maxElements;
  }

  /** Rows there is room for. */
  get capacity(): number {
    return this.#rows;
  }

  /** Rows the next segment would have, when one is needed. */
  get nextRows(): number {
    const rows = Math.min(MAX_ROWS, Math.max(FIRST_ROWS, this.#rows * 3));
    return Math.min(rows, this.#maxElements - this.#rows);
  }

  /** Whether the next {@link push} needs a new segment. */
  get needsSegment(): boolean {
    if (this.isWrapped || this.#spare !== undefined) return false;
    const last = this.segments.at(-1);
    if (last !== undefined && this.tail < last.rows) return false;
    return this.#rows < this.#maxElements;
  }

  /** The segment for the next row, which is its row `tail - 1`. Fewer than `maxElements` before. */
  push(): Segment {
    const segment = this.#openSegment();
    this.tail++;
    this.size++;
    return segment;
  }

  /** Forgets the oldest `count` rows. */
  drop(count: number): void {
    this.size -= count;
    if (this.size === 0) {
      this.clear();
      return;
    }
    this.head += count;
    while (this.head >= (this.segments[0] as Segment).rows) this.#passFirst();
  }

  clear(): void {
    for (const segment of this.segments) this.#source.destroy(segment);
    if (this.#spare !== undefined) this.#source.destroy(this.#spare);
    this.segments = [];
    this.#spare = undefined;
    this.#rows = 0;
    this.head = 0;
    this.tail = 0;
    this.isWrapped = false;
    this.size = 0;
  }

  /** Puts other segments with the same rows in the place of all, when {@link needsSegment}. */
  replace(segments: Segment[]): void {
    this.segments = segments;
    this.#source.link(segments);
  }

  /** The oldest row is no longer in the first segment. */
  #passFirst(): void {
    const first = this.segments.shift() as Segment;
    this.head -= first.rows;
    if (this.isWrapped) {
      this.segments.push(first);
      this.isWrapped = false;
    } else {
      this.#setAside(first);
    }
    this.#source.link(this.segments);
  }

  #openSegment(): Segment {
    const last = this.isWrapped ? this.segments[0] : this.segments.at(-1);
    if (last !== undefined && this.tail < (this.isWrapped ? this.head : last.rows)) return last;
    this.tail = 0;
    if (this.#spare === undefined && this.#rows === this.#maxElements) {
      this.isWrapped = true;
      return this.segments[0] as Segment;
    }
    const segment = this.#spare ?? this.#create();
    this.#spare = undefined;
    this.segments.push(segment);
    this.#source.link(this.segments);
    return segment;
  }

  #create(): Segment {
    const segment = this.#source.create(this.nextRows);
    this.#rows += segment.rows;
    return segment;
  }

  #setAside(segment: Segment): void {
    const unwanted = this.#spare;
    this.#spare = segment;
    if (unwanted === undefined) return;
    this.#rows -= unwanted.rows;
    this.#source.destroy(unwanted);
  }
}
