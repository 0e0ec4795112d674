import { buildCellTree, medianOfRows, type SparseVectors } from '@kp/curation';
import { seededIntegers } from '@kp/foundation';
import { readTable } from './columns.ts';
import { type Vocabulary, writeNumbers } from './plan-words.ts';
import { createRowWeigher } from './row-weigher.ts';
import type { Shard } from './shards.ts';
import type { Store } from './store.ts';
import { RUN_COLUMNS } from './tables.ts';
import { openOutput, type TaskOutputs } from './task-outputs.ts';

const LEAST_SAMPLE = 2_000;
const MOST_SAMPLE = 20_000;
const SAMPLED_PER_CELL = 64;

type SparseRow = SparseVectors['rows'][number];

/** Divides the runs into cells and writes the cell of each run. */
export async function divideRuns(
  store: Store,
  shards: readonly Shard[],
  vocabulary: Vocabulary,
  wanted: number,
  seed: number,
  outputs: TaskOutputs,
): Promise<{ readonly sizes: readonly number[]; readonly baseline: number | null }> {
  const runs = shards.reduce((sum, { facts }) => sum + facts.runs, 0);
  if (wanted === 1) {
    for (const [index, { facts }] of shards.entries()) {
      await writeNumbers(outputs, `cells-${index}`, new Uint32Array(facts.runs));
    }
    return { sizes: [runs], baseline: null };
  }
  const { components, frequencies, recurring } = vocabulary;
  const vectorOf = createRowWeigher({ frequencies, recurring, runs });
  async function* rows(
    index: number,
  ): AsyncGenerator<{ place: number; key: number; row: () => SparseRow }> {
    const own = components[index] as Uint32Array;
    const object = await openOutput(store, shards[index] as Shard, 'runs', false);
    for await (const block of readTable(object, RUN_COLUMNS, ['key', 'words', 'messages'])) {
      for (let at = 0; at < block.length; at++) {
        const words = block.columns.words[at] as Uint8Array;
        const messages = block.columns.messages[at] as Uint8Array;
        const row = () => vectorOf({ words, messages }, own);
        yield {
          place: block.start + at,
          key: keyNumber(block.columns.key[at] as Uint8Array),
          row,
        };
      }
    }
  }
  const size = Math.min(MOST_SAMPLE, Math.max(LEAST_SAMPLE, wanted * SAMPLED_PER_CELL));
  const chosen = await sampleKeys(shards, rows, runs, Math.max(size, wanted), seed);
  const found = new Map<number, SparseRow>();
  for (const index of shards.keys()) {
    for await (const { key, row } of rows(index)) {
      if (chosen.has(key) && !found.has(key)) found.set(key, row());
    }
  }
  const sample = [...chosen].flatMap(([key, amount]) =>
    Array.from({ length: amount }, () => found.get(key) as SparseRow),
  );
  const tree = buildCellTree(sample, wanted, seed);
  const baseline = medianOfRows(sample.slice(0, LEAST_SAMPLE));
  const sizes = new Array<number>(wanted).fill(0);
  for (const [index, { facts }] of shards.entries()) {
    const cells = new Uint32Array(facts.runs);
    for await (const { place, row } of rows(index)) {
      const cell = tree.cellOf(row());
      cells[place] = cell;
      sizes[cell] = (sizes[cell] as number) + 1;
    }
    await writeNumbers(outputs, `cells-${index}`, cells);
  }
  return { sizes, baseline };
}

/** Returns the first 52 bits of a content key. */
function keyNumber(key: Uint8Array): number {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  return view.getUint32(0) * 2 ** 20 + (view.getUint32(4) >>> 12);
}

/**
 * Chooses runs at random positions in the order of their keys, so that the sample depends neither on the
 * shards nor on the order of the input.
 *
 * @returns the number of times that each key was chosen.
 */
async function sampleKeys(
  shards: readonly Shard[],
  rows: (index: number) => AsyncGenerator<{ key: number }>,
  runs: number,
  size: number,
  seed: number,
): Promise<ReadonlyMap<number, number>> {
  const keys = new Float64Array(runs);
  let count = 0;
  for (const index of shards.keys()) {
    for await (const { key } of rows(index)) keys[count++] = key;
  }
  keys.sort();
  const positions = new Set<number>();
  const next = seededIntegers(seed);
  while (positions.size < Math.min(size, runs)) positions.add(next(runs));
  const chosen = new Map<number, number>();
  for (const position of positions) {
    const key = keys[position] as number;
    chosen.set(key, (chosen.get(key) ?? 0) + 1);
  }
  return chosen;
}
