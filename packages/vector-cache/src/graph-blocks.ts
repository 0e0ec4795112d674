import { messageOf } from '@kp/foundation';
import { GRAPH_KERNEL } from './graph-kernel-bytes.ts';
import { decodeKernel } from './kernel.ts';
import type { Engine } from './options.ts';

/** How rows are handed to the kernel. */
export interface BlockShape {
  /** Values of a row, a multiple of 8. */
  readonly length: number;
  /** Rows of a block, a multiple of 4. */
  readonly rows: number;
  /** Hits kept of each row in one task. */
  readonly limit: number;
}

/** One block of rows. */
export interface Block {
  readonly index: number;
  /** Rows in it; the last block of a corpus is not full. */
  readonly count: number;
  /** The rows in the layout of `assembly/graph.ts`. */
  readonly values: Float32Array;
  /** What a similarity must reach to matter to each row. */
  readonly thresholds: Float32Array;
}

/** Two blocks, of which all pairs of rows are to be compared; twice the same one: each pair once. */
export interface BlockPair {
  readonly a: Block;
  readonly b: Block;
}

/** Hits of the rows of both blocks, as the kernel keeps them: see {@link hitsOf}. */
export type BlockHits = readonly [ArrayBuffer, ArrayBuffer];

/** The kernel with room for two blocks. */
export interface Blocks {
  load(pair: BlockPair): void;
  /** Compares the rows `[from, to)` of block b with all of block a. `from` is a multiple of 4. */
  compare(from: number, to: number): void;
  hits(): BlockHits;
}

/** The kernel in this thread, or why there is none, and what other threads need to open theirs. */
export interface Kernel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly shape: BlockShape;
  readonly blocks: Blocks | undefined;
  readonly refusal: string | undefined;
}

/** What `assembly/graph.ts` exports; lengths in values, places in bytes. */
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

// Two blocks, their codes and hits fit the cache of one core and its share of the common one.
const BLOCK_ROWS_MAX = 1024;
const BLOCK_VALUES_MAX = 2 ** 20;
/** Rows of a block, or of its part that is compared before the event loop may have a turn. */
export const PART_ROWS = 64;

/** Opens the kernel for a corpus, unless TypeScript is asked for. */
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
    return {
      bytes,
      shape,
      blocks: undefined,
      refusal: messageOf(error),
    };
  }
}

/**
 * Opens the kernel. Its text is also the program of the worker threads: it must not use anything of
 * this module or of another one.
 *
 * @throws RangeError when memory is refused, and what WebAssembly throws where it is refused.
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

/** Hands the hits of one block to `offer`: row of the block, row of the corpus, similarity. */
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
