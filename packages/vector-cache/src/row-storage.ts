import type { Arena, Workspace } from './arena.ts';
import { chooseArena, releaseArena } from './arena-pool.ts';
import { OutOfMemoryError } from './errors.ts';
import {
  SEGMENT_HEAD_BYTES,
  type Segment,
  SegmentRing,
  type SegmentSource,
} from './segment-ring.ts';

const BLOCK_ROWS = 16;

/** The rows of one cache in WebAssembly memory: which arena they are in, and where. */
export class RowStorage implements SegmentSource {
  readonly ring: SegmentRing;
  readonly rowBytes: number;
  readonly #dimensions: number;
  #arena: Arena | undefined;
  #workspace: Workspace | undefined;

  /** @param rowBytes - of one row in a segment; see `assembly/index.ts`. */
  constructor(dimensions: number, rowBytes: number, maxElements: number) {
    this.#dimensions = dimensions;
    this.rowBytes = rowBytes;
    this.ring = new SegmentRing(this, maxElements);
  }

  get arena(): Arena {
    this.#arena ??= chooseArena(0, undefined);
    return this.#arena;
  }

  /** The arena's workspace, bound. */
  bind(): Workspace {
    const { arena } = this;
    this.#workspace ??= arena.workspace(this.#dimensions);
    arena.bind(this.#workspace);
    return this.#workspace;
  }

  /** Makes room for one more row; it is row `ring.tail - 1` of the segment returned. */
  push(): Segment {
    const { ring } = this;
    if (ring.needsSegment) this.#settle((ring.capacity + ring.nextRows) * this.rowBytes);
    return ring.push();
  }

  drop(count: number): void {
    if (count === this.ring.size) this.clear();
    else this.ring.drop(count);
  }

  clear(): void {
    const arena = this.#arena;
    if (arena === undefined) return;
    this.ring.clear();
    // One of its own goes with its last reference.
    this.#arena = undefined;
    this.#workspace = undefined;
    releaseArena(arena);
  }

  create(rows: number): Segment {
    const capacity = Math.ceil(rows / BLOCK_ROWS) * BLOCK_ROWS;
    const start = this.arena.allocate(this.#segmentBytes(capacity));
    if (start === undefined) throw new OutOfMemoryError(this.ring.size);
    return { start, rows, capacity };
  }

  destroy(segment: Segment): void {
    this.arena.free(segment.start, this.#segmentBytes(segment.capacity));
  }

  link(segments: readonly Segment[]): void {
    const { kernel } = this.arena;
    for (const [index, { start, rows, capacity }] of segments.entries()) {
      const next = segments[(index + 1) % segments.length] as Segment;
      kernel.link(start, next.start, rows, capacity);
    }
  }

  #segmentBytes(capacity: number): number {
    return SEGMENT_HEAD_BYTES + capacity * this.rowBytes;
  }

  /** Moves to an arena fit for `bytes`, with the vector in the workspace. */
  #settle(bytes: number): void {
    const source = this.arena;
    const target = chooseArena(bytes, source);
    if (target === source) return;
    const { unit } = this.bind();
    const left = this.ring.segments;
    const copies = left.map((segment) => this.#copy(segment, source, target));
    for (const segment of left) this.destroy(segment);
    this.#arena = target;
    this.#workspace = undefined;
    this.bind().unit.set(unit);
    this.ring.replace(copies);
    releaseArena(source);
  }

  #copy(segment: Segment, source: Arena, target: Arena): Segment {
    const bytes = this.#segmentBytes(segment.capacity);
    const start = target.allocate(bytes);
    if (start === undefined) throw new OutOfMemoryError(this.ring.size);
    target.copyFrom(source, segment.start, bytes, start);
    return { ...segment, start };
  }
}
