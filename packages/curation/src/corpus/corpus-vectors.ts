import { taskView } from '@kp/embedder';
import { assertType } from '@kp/foundation';
import type { ReasoningTrace } from '@kp/schema';
import { compareKeys } from './key-order.ts';
import type { SparseVectors } from './sparse-rows.ts';

import { countWords } from './words.ts';

/** Version of the vectors; it changes whenever they do. */
export const CORPUS_VECTORS_ID = 'corpus-words/1';

/** Above 1, so that rare words count more than in plain tf-idf; measured in docs/curation.md. */
const RARITY_POWER = 1.5;
const MOST_COUNTED = 2 ** 16 - 1;

/** Collects the words of a corpus trace by trace without keeping the traces. */
export interface CorpusVectorizer {
  /**
   * Adds the words of one trace.
   *
   * @param trace - read immediately; not retained.
   */
  add(trace: ReasoningTrace): void;
  /** Returns one vector per trace in the order of addition. */
  vectors(): SparseVectors;
}

/** The words in a run's widest view, with their counts in each view. */
interface Document {
  readonly words: Uint32Array;
  readonly views: readonly Uint16Array[];
}

/**
 * Computes vectors for a complete corpus: exact words of the task, not hashed, each weighted by its
 * rarity, `(1 + ln count) · ln((n + 1) / df)^1.5`, and scaled to length 1. A word counts in each of
 * the three views that contain it (objective; plus user messages; plus tool inputs). Each view is
 * scaled to length 1 before they are added.
 *
 * The vectors are valid for this corpus only: another run changes the rarity of words.
 *
 * @param traces - the whole corpus.
 * @returns Vectors for `buildSimilarityGraph`, one per trace; zeros for a trace without words.
 * @see Spärck Jones 1972, A statistical interpretation of term specificity.
 */
export function corpusVectors(traces: Iterable<ReasoningTrace>): SparseVectors {
  assertType('traces', 'an iterable', traces);
  const vectorizer = createCorpusVectorizer();
  for (const trace of traces) vectorizer.add(trace);
  return vectorizer.vectors();
}

/** Creates a vectorizer for {@link corpusVectors} that does not keep the traces. */
export function createCorpusVectorizer(): CorpusVectorizer {
  const words = createWordVectorizer();
  return {
    add(trace) {
      const { objective, asked, task } = taskView(trace);
      words.add([objective, asked, task]);
    },
    vectors: () => ({ ...words.vectors(), id: CORPUS_VECTORS_ID }),
  };
}

/**
 * Creates word vectors of texts. Each text has several views, each of which contains the previous
 * one.
 */
export function createWordVectorizer(): {
  add(views: readonly string[]): void;
  vectors(): Omit<SparseVectors, 'id'>;
} {
  const ids = new Map<string, number>();
  const frequencies: number[] = [];
  const documents: Document[] = [];
  return {
    add(views) {
      const counted = views.map(countWords);
      const all = counted[counted.length - 1];
      const words = Uint32Array.from(all.keys(), (word) => {
        const id = ids.get(word) ?? ids.size;
        if (id === ids.size) ids.set(word, id);
        frequencies[id] = (frequencies[id] ?? 0) + 1;
        return id;
      });
      const counts = counted.map((view) =>
        Uint16Array.from(all.keys(), (word) => Math.min(MOST_COUNTED, view.get(word) ?? 0)),
      );
      documents.push({ words, views: counts });
    },
    vectors() {
      // Sort the words, so that neither components nor sums depend on the order of the texts.
      const components = new Uint32Array(ids.size);
      const vocabulary = [...ids.keys()].sort(compareKeys);
      for (const [component, word] of vocabulary.entries()) {
        components[ids.get(word) ?? 0] = component;
      }
      const rarity = Float64Array.from(frequencies, (frequency) => {
        return Math.log((documents.length + 1) / frequency) ** RARITY_POWER;
      });
      const rows = documents.map((document) => rowOf(document, components, rarity));
      return { kind: 'sparse', dimensions: ids.size, rows };
    },
  };
}

function rowOf(
  { words, views }: Document,
  components: Uint32Array,
  rarity: Float64Array,
): SparseVectors['rows'][number] {
  const slots = Uint32Array.from(words, (_, slot) => slot).sort(
    (a, b) => components[words[a]] - components[words[b]],
  );
  const sums = new Float64Array(words.length);
  const view = new Float64Array(words.length);
  for (const counts of views) {
    slots.forEach((slot, at) => {
      const count = counts[slot];
      view[at] = count === 0 ? 0 : (1 + Math.log(count)) * rarity[words[slot]];
    });
    const inverse = inverseNorm(view);
    for (let at = 0; at < view.length; at++) {
      sums[at] = sums[at] + view[at] * inverse;
    }
  }
  const inverse = inverseNorm(sums);
  return {
    indices: Uint32Array.from(slots, (slot) => components[words[slot]]),
    values: sums.map((value) => value * inverse),
  };
}

function inverseNorm(values: Float64Array): number {
  let squares = 0;
  for (const value of values) squares += value * value;
  return squares === 0 ? 0 : 1 / Math.sqrt(squares);
}
