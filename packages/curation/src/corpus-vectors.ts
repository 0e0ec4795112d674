import type { ReasoningTrace } from '@kp/schema';
import { compareKeys } from './key-order.ts';
import type { SparseVectors } from './sparse-rows.ts';
import { type TaskView, taskView } from './task-view.ts';
import { countWords } from './words.ts';

/** Changes whenever a vector does. */
export const CORPUS_VECTORS_ID = 'corpus-words/1';

/** Over 1, so that rare words count for more than in plain tf-idf; measured in docs/curation.md. */
const RARITY_POWER = 1.5;
const VIEWS: readonly (keyof TaskView)[] = ['objective', 'asked', 'task'];

type WordCounts = Readonly<Record<keyof TaskView, ReadonlyMap<string, number>>>;

export interface CorpusVectorOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Vectors for a corpus that is known as a whole: exact words of the task, not hashed, each weighed
 * by how few runs have it, `(1 + ln count) · ln((n + 1) / df)^1.5`, and of length 1. A word counts in
 * each of the three views of a trace that it stands in (objective; and what users said; and what
 * tools were given), the views being of one length before they are added.
 *
 * The vectors hold for this corpus only: another run changes how rare each word is.
 *
 * @returns what `buildSimilarityGraph` takes, one vector a trace. Without any word: the zero vector.
 * @see Spärck Jones 1972, A statistical interpretation of term specificity.
 */
export function corpusVectors(
  traces: Iterable<ReasoningTrace>,
  options: CorpusVectorOptions = {},
): SparseVectors {
  const documents: WordCounts[] = [];
  const frequencies = new Map<string, number>();
  for (const trace of traces) {
    options.signal?.throwIfAborted();
    const view = taskView(trace);
    const counts = {
      objective: countWords(view.objective),
      asked: countWords(view.asked),
      task: countWords(view.task),
    };
    documents.push(counts);
    for (const word of counts.task.keys()) {
      frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    }
  }
  // Ascending words, so that neither ids nor sums depend on the order of the traces.
  const vocabulary = [...frequencies.keys()].sort(compareKeys);
  const ids = new Map(vocabulary.map((word, id) => [word, id]));
  const rarity = Float64Array.from(vocabulary, (word) => {
    return Math.log((documents.length + 1) / (frequencies.get(word) as number)) ** RARITY_POWER;
  });
  const rows = documents.map((counts) => {
    options.signal?.throwIfAborted();
    return rowOf(counts, ids, rarity);
  });
  return { kind: 'sparse', id: CORPUS_VECTORS_ID, dimensions: vocabulary.length, rows };
}

function rowOf(
  counts: WordCounts,
  ids: ReadonlyMap<string, number>,
  rarity: Float64Array,
): SparseVectors['rows'][number] {
  const indices = Uint32Array.from(counts.task.keys(), (word) => ids.get(word) as number).sort();
  const slots = new Map(Array.from(indices, (id, slot) => [id, slot]));
  const sums = new Float64Array(indices.length);
  for (const name of VIEWS) {
    const view = new Float64Array(indices.length);
    for (const [word, count] of counts[name]) {
      const id = ids.get(word) as number;
      view[slots.get(id) as number] = (1 + Math.log(count)) * (rarity[id] as number);
    }
    const inverse = inverseNorm(view);
    for (let slot = 0; slot < view.length; slot++) {
      sums[slot] = (sums[slot] as number) + (view[slot] as number) * inverse;
    }
  }
  const inverse = inverseNorm(sums);
  return { indices, values: sums.map((value) => value * inverse) };
}

function inverseNorm(values: Float64Array): number {
  let squares = 0;
  for (const value of values) squares += value * value;
  return squares === 0 ? 0 : 1 / Math.sqrt(squares);
}
