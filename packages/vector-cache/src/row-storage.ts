import { type Arena, chooseArena, releaseArena, type Workspace } from './arena.ts';
import { OutOfMemoryError } from './errors.ts';
import {
  SEGMENT_HEAD_BYTES,
  type Segment,
  SegmentRing,
  type SegmentSource,
} from './segment-ring.ts';
import { paddedLength } from './vector-input.ts';

const BLOCK_ROWS = 16;

/** The rows of one cache in WebAssembly memory. */
export class RowStorage implements SegmentSource {
  readonly ring: SegmentRing;
  readonly rowBytes: number;
  arena: Arena;
  readonly #dimensions: number;
  readonly #isFlat: boolean;
  #workspace: Workspace;

  /**
   * @param isFlat - the rows have vectors but no codes; see `assembly/index.ts`.
   * @throws OutOfMemoryError when there is no kernel, or no memory for its workspace.
   */
  constructor(dimensions: number, isFlat: boolean, limit: number) {
    const length = paddedLength(dimensions);
    this.#dimensions = dimensions;
    this.#isFlat = isFlat;
    // Codes take one byte per value; facts, bounds and sums are six numbers of four bytes each.
    this.rowBytes = isFlat ? length * 4 : length * 5 + 24;
    this.ring = new SegmentRing(this, limit);
    const arena = chooseArena(0, undefined);
    const workspace = arena?.workspace(dimensions);
    if (arena === undefined || workspace === undefined) {
      throw new OutOfMemoryError('a workspace', 0);
    }
    this.arena = arena;
    this.#workspace = workspace;
  }

  /** The arena's workspace, bound. */
  bind(): Workspace {
    this.arena.bind(this.#workspace);
    return this.#workspace;
  }

  /**
   * Makes room for one more row.
   *
   * @throws OutOfMemoryError when memory is refused; the storage is unchanged.
   */
  reserve(): void {
    const { ring } = this;
    if (!ring.needsSegment) return;
    this.#settle((ring.capacity + ring.nextRows) * this.rowBytes);
    ring.reserve();
  }

  /** Takes the memory for that many further rows at once, if it is available. */
  expect(rows: number): void {
    const bytes = rows * this.rowBytes;
    this.#settle(this.ring.capacity * this.rowBytes + bytes);
    const start = this.arena.allocate(bytes);
    if (start !== undefined) this.arena.free(start, bytes);
  }

  /** Frees all rows; the storage cannot be used afterwards. */
  clear(): void {
    this.ring.clear();
    releaseArena(this.arena);
  }

  create(rows: number): Segment {
    const capacity = Math.ceil(rows / BLOCK_ROWS) * BLOCK_ROWS;
    const start = this.arena.allocate(this.#segmentBytes(capacity));
    if (start === undefined) throw new OutOfMemoryError('one more vector', this.ring.size);
    return { start, rows, capacity };
  }

  destroy(segment: Segment): void {
    this.arena.free(segment.start, this.#segmentBytes(segment.capacity));
  }

  link(segments: readonly Segment[]): void {
    const { kernel } = this.arena;
    for (const [index, { start, rows, capacity }] of segments.entries()) {
      const next = segments[(index + 1) % segments.length];
      kernel.link(start, next.start, rows, capacity);
    }
  }

  move(from: Segment, fromRow: number, to: Segment, toRow: number): void {
    this.bind();
    const { kernel } = this.arena;
    kernel.take(from.start, fromRow);
    kernel.append(to.start, toRow, this.#isFlat);
  }

  #segmentBytes(capacity: number): number {
    return SEGMENT_HEAD_BYTES + capacity * this.rowBytes;
  }

  /** Moves to an arena that suits `bytes`, together with the loaded vector, if there is one. */
  #settle(bytes: number): void {
    const source = this.arena;
    const target = chooseArena(bytes, source);
    if (target === undefined || target === source) return;
    const workspace = target.workspace(this.#dimensions);
    const copies = this.#copyAll(target);
    if (workspace === undefined || copies === undefined) return;
    const { unit } = this.bind();
    const left = this.ring.segments;
    for (const segment of left) this.destroy(segment);
    this.arena = target;
    this.#workspace = workspace;
    this.bind().unit.set(unit);
    this.ring.replace(copies);
    releaseArena(source);
  }

  /** Undefined if the target cannot hold all rows; the garbage collector then frees it. */
  #copyAll(target: Arena): Segment[] | undefined {
    const copies: Segment[] = [];
    for (const segment of this.ring.segments) {
      const bytes = this.#segmentBytes(segment.capacity);
      const start = target.allocate(bytes);
      if (start === undefined) return undefined;
      target.bytesAt(start, bytes).set(this.arena.bytesAt(segment.start, bytes));
      copies.push({ ...segment, start });
    }
    return copies;
  }
}
