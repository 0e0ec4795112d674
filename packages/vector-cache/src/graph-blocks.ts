import { decodeKernel, messageOf } from '@kp/foundation';
import { GRAPH_KERNEL } from './graph-kernel-bytes.ts';
import type { Engine } from './options.ts';

/** Sizes of blocks. */
export interface BlockShape {
  /** Number of values per row, a multiple of 8. */
  readonly length: number;
  /** Number of rows per block, a multiple of 4. */
  readonly rows: number;
  /** Maximum number of hits per row in one task. */
  readonly limit: number;
}

/** One block of rows. */
export interface Block {
  readonly index: number;
  /** Number of rows; the last block of a corpus may have fewer. */
  readonly count: number;
  /** The rows in the layout of `assembly/graph.ts`. */
  readonly values: Float32Array;
  /** Minimum similarity of a hit, per row. */
  readonly thresholds: Float32Array;
}

/** Two blocks whose rows are compared, or the same block twice to compare each pair of its rows once. */
export interface BlockPair {
  readonly a: Block;
  readonly b: Block;
}

/** The hits of both blocks in the layout of the kernel; see {@link hitsOf}. */
export type BlockHits = readonly [ArrayBuffer, ArrayBuffer];

/** A kernel with memory for two blocks. */
export interface Blocks {
  load(pair: BlockPair): void;
  /** Compares rows `[from, to)` of block b with all rows of block a. `from` is a multiple of 4. */
  compare(from: number, to: number): void;
  hits(): BlockHits;
}

/**
 * The kernel of this thread, or the reason why there is none, and the data that other threads need
 * to open a kernel.
 */
export interface Kernel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly shape: BlockShape;
  readonly blocks: Blocks | undefined;
  readonly refusal: string | undefined;
}

/** The exports of `assembly/graph.ts`; lengths are in values, addresses in bytes. */
interface GraphKernel {
  begin(length: number, limit: number, rows: number): void;
  encode(values: number, groups: number, codes: number): void;
  beginHitsOf(hits: number): void;
  pairs(
    valuesA: number,
    codesA: number,
    hitsA: number,
    countA: number,
    baseA: number,
    valuesB: number,
    codesB: number,
    hitsB: number,
    from: number,
    to: number,
    baseB: number,
  ): void;
}

// With these sizes, two blocks with codes and hits fit the cache of one core.
const BLOCK_ROWS_MAX = 1024;
const BLOCK_VALUES_MAX = 2 ** 20;
/** Minimum number of rows per block, and number of rows compared between two pauses. */
export const PART_ROWS = 64;

/** Opens the kernel for a corpus, unless the engine is TypeScript. */
export function openKernel(
  length: number,
  size: number,
  neighbors: number,
  engine: Engine | undefined,
): Kernel {
  const most = Math.min(BLOCK_ROWS_MAX, BLOCK_VALUES_MAX / length, Math.max(size / 8, PART_ROWS));
  const rows = Math.max(4, Math.floor(most / 4) * 4);
  const shape = { length, rows, limit: Math.min(neighbors, rows) };
  const bytes = decodeKernel(GRAPH_KERNEL);
  if (engine === 'typescript') return { bytes, shape, blocks: undefined, refusal: undefined };
  try {
    return { bytes, shape, blocks: openBlocks(bytes, shape), refusal: undefined };
  } catch (error) {
    if (engine !== undefined) throw error;
    return { bytes, shape, blocks: undefined, refusal: messageOf(error) };
  }
}

/**
 * Opens the kernel. It must be self-contained: its source text is also the program of the worker
 * threads.
 *
 * @throws RangeError when memory is refused, and other errors of WebAssembly.
 */
export function openBlocks(bytes: Uint8Array<ArrayBuffer>, shape: BlockShape): Blocks {
  const { length, rows, limit } = shape;
  const codesAt = rows * length * 4;
  const hitsAt = codesAt + rows * length * 2;
  const hitBytes = rows * 12 + rows * limit * 8;
  const first = 1024;
  const second = first + hitsAt + hitBytes;
  const pages = Math.ceil((second + hitsAt + hitBytes) / 65_536);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  const kernel = instance.exports as unknown as GraphKernel;
  kernel.begin(length, limit, rows);
  const loaded = [-1, -1];
  let pair: BlockPair | undefined;
  let other = second;
  return {
    load(next) {
      pair = next;
      other = next.a.index === next.b.index ? first : second;
      for (const [side, block] of [next.a, next.b].entries()) {
        const at = side === 0 ? first : other;
        if (loaded[side] !== block.index && (side === 0 || other === second)) {
          new Float32Array(memory.buffer, at, block.values.length).set(block.values);
          kernel.encode(at, Math.ceil(block.count / 4), at + codesAt);
          loaded[side] = block.index;
        }
        const thresholds = new Float32Array(memory.buffer, at + hitsAt, rows);
        thresholds.fill(Infinity);
        thresholds.set(block.thresholds);
        kernel.beginHitsOf(at + hitsAt);
      }
    },
    compare(from, to) {
      if (pair === undefined) return;
      const { a, b } = pair;
      const placeA = [first, first + codesAt, first + hitsAt] as const;
      const placeB = [other, other + codesAt, other + hitsAt] as const;
      kernel.pairs(...placeA, a.count, a.index * rows, ...placeB, from, to, b.index * rows);
    },
    hits() {
      return [
        memory.buffer.slice(first + hitsAt, first + hitsAt + hitBytes),
        memory.buffer.slice(other + hitsAt, other + hitsAt + hitBytes),
      ];
    },
  };
}

/** Calls `offer` with each hit of a block: row of the block, row of the corpus, similarity. */
export function hitsOf(
  buffer: ArrayBuffer,
  { rows, limit }: BlockShape,
  offer: (row: number, position: number, similarity: number) => void,
): void {
  const integers = new Int32Array(buffer);
  const floats = new Float32Array(buffer);
  for (let row = 0; row < rows; row++) {
    const first = rows * 3 + row * limit * 2;
    const end = first + integers[rows * 2 + row] * 2;
    for (let at = first; at < end; at += 2) {
      offer(row, integers[at], floats[at + 1]);
    }
  }
}
