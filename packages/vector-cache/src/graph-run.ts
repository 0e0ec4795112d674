import { availableProcessors, type ThreadUse, workOnThreads } from '@kp/foundation';
import {
  type Block,
  type BlockHits,
  type BlockPair,
  type BlockShape,
  hitsOf,
  type Kernel,
  openBlocks,
  PART_ROWS,
} from './graph-blocks.ts';
import type { Rows } from './graph-rows.ts';
import type { Engine } from './options.ts';
import { similarityOf } from './similarity.ts';
import type { TopHits } from './top-hits.ts';

/** Unit vectors; a position is the rank of a vector's key. */
export interface Corpus extends Rows {
  /** Index in the input of each position. */
  readonly order: Int32Array;
  readonly isShared: boolean;
}

/** A corpus to compare, and the destination of the results. */
export interface Work extends Corpus {
  readonly top: TopHits;
  readonly pause: Pause;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: { done: number; total: number }) => void) | undefined;
}

/** The engine and threads that did the work. */
export interface Computation extends ThreadUse {
  readonly engine: Engine;
}

export type Pause = () => Promise<void>;

/** Below this number of multiplications, starting workers takes longer than they save. */
const WORTH_THREADS = 1e9;
// Each message to the worker is a pair of blocks.
const program = (): string => `({ bytes, shape }) => {
  const blocks = (${openBlocks.toString()})(bytes, shape);
  return (pair) => {
    blocks.load(pair);
    blocks.compare(0, pair.b.count);
    return blocks.hits();
  };
}`;

/** Offers every pair of the corpus to both of its rows. */
export async function compareAll(
  work: Work,
  { bytes, shape, blocks, refusal }: Kernel,
  threads: number | undefined,
): Promise<Computation> {
  if (blocks === undefined) {
    await compareInTypeScript(work);
    return { engine: 'typescript', threads: 1, fallback: refusal };
  }
  const tasks = new Tasks(work, shape);
  const isWorth = tasks.total * shape.length >= WORTH_THREADS;
  const wanted = Math.min(threads ?? (isWorth ? availableProcessors() : 1), tasks.left);
  const result: ThreadUse =
    wanted > 1
      ? await workOnThreads(
          {
            program: program(),
            opening: { bytes, shape },
            next: () => tasks.next(),
            giveBack: (pair) => tasks.giveBack(pair),
            finish: (pair, hits: BlockHits) => tasks.finish(pair, hits),
          },
          wanted,
          work.signal,
        )
      : { threads: 1, fallback: undefined };
  // The pairs of blocks from threads that failed.
  for (let pair = tasks.next(); pair !== undefined; pair = tasks.next()) {
    blocks.load(pair);
    for (let from = 0; from < pair.b.count; from += PART_ROWS) {
      blocks.compare(from, Math.min(pair.b.count, from + PART_ROWS));
      await work.pause();
    }
    tasks.finish(pair, blocks.hits());
  }
  return { engine: 'wasm-simd', ...result };
}

/** The pairs of blocks that are not compared yet. */
class Tasks {
  readonly total: number;
  readonly #work: Work;
  readonly #shape: BlockShape;
  readonly #queue: [number, number][] = [];
  #done = 0;

  constructor(work: Work, shape: BlockShape) {
    this.#work = work;
    this.#shape = shape;
    this.total = (work.size * (work.size - 1)) / 2;
    const blocks = Math.ceil(work.size / shape.rows);
    for (let a = blocks - 1; a >= 0; a--) {
      for (let b = blocks - 1; b >= a; b--) this.#queue.push([a, b]);
    }
  }

  get left(): number {
    return this.#queue.length;
  }

  next(): BlockPair | undefined {
    const indices = this.#queue.pop();
    return indices && { a: this.#block(indices[0]), b: this.#block(indices[1]) };
  }

  giveBack({ a, b }: BlockPair): void {
    this.#queue.push([a.index, b.index]);
  }

  finish({ a, b }: BlockPair, hits: BlockHits): void {
    const isSame = a.index === b.index;
    for (const [side, block] of [a, b].entries()) {
      if (side === 1 && isSame) break;
      const first = block.index * this.#shape.rows;
      hitsOf(hits[side], this.#shape, (row, position, similarity) => {
        this.#work.top.offer(first + row, position, similarity);
      });
    }
    this.#done += isSame ? (a.count * (a.count - 1)) / 2 : a.count * b.count;
    this.#work.onProgress?.({ done: this.#done, total: this.total });
  }

  #block(index: number): Block {
    const { size, length, values, isShared, top } = this.#work;
    const first = index * this.#shape.rows;
    const count = Math.min(this.#shape.rows, size - first);
    const end = first + Math.ceil(count / 4) * 4;
    // Posting a view of a non-shared buffer clones the whole buffer to the worker, so copy the part.
    const part = isShared
      ? values.subarray(first * length, end * length)
      : values.slice(first * length, end * length);
    const thresholds = Float32Array.from({ length: count }, (_, row) => top.threshold(first + row));
    return { index, count, values: part, thresholds };
  }
}

async function compareInTypeScript(work: Work): Promise<void> {
  const { size, length, values, top, pause, onProgress } = work;
  const total = (size * (size - 1)) / 2;
  const row = (position: number) => values.subarray(position * length, (position + 1) * length);
  let done = 0;
  for (let a = 0; a < size; a += PART_ROWS) {
    for (let b = a; b < size; b += PART_ROWS) {
      for (let i = a; i < Math.min(size, a + PART_ROWS); i++) {
        const first = row(i);
        for (let j = Math.max(b, i + 1); j < Math.min(size, b + PART_ROWS); j++, done++) {
          const similarity = similarityOf(values, j * length, first);
          top.offer(i, j, similarity);
          top.offer(j, i, similarity);
        }
      }
      await pause();
    }
    onProgress?.({ done, total });
  }
}
