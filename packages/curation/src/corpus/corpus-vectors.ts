import { taskTexts } from '@kp/embedder';
import { assertType } from '@kp/foundation';
import type { ReasoningTrace } from '@kp/schema';
import { compareKeys } from './key-order.ts';
import type { RemainingMessages } from './recurring-messages.ts';
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
  /**
   * Returns one vector per trace in the order of addition.
   *
   * @param remaining - the messages to use of each trace, from `remainingMessages`; undefined uses
   * all of them.
   */
  vectors(remaining?: (trace: number) => RemainingMessages | undefined): SparseVectors;
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
      const { objective, said, given } = taskTexts(trace);
      words.add([objective, ...said.map(({ text }) => text), given.join('\n')]);
    },
    vectors(remaining) {
      const viewOf = (trace: number, text: number, texts: number): number | undefined => {
        if (text === texts - 1) return VIEWS - 1;
        const { objective, leftOut } = remaining?.(trace) ?? ALL_MESSAGES;
        if (leftOut.has(text)) return undefined;
        return text === objective ? 0 : 1;
      };
      return { ...words.vectors(VIEWS, viewOf), id: CORPUS_VECTORS_ID };
    },
  };
}

/** The objective; plus what users said; plus what tools were given. */
const VIEWS = 3;
const ALL_MESSAGES: RemainingMessages = { objective: 0, leftOut: new Set() };

/** The words of a document's texts, one text after the other, with their counts. */
interface Document {
  readonly words: Uint32Array;
  readonly counts: Uint16Array;
  /** Index in `words` after the last word of each text. */
  readonly ends: Uint32Array;
}

/**
 * Returns the view to which a text of a document belongs: each view contains the texts of those
 * before it. Undefined leaves the text out.
 */
type ViewOf = (document: number, text: number, texts: number) => number | undefined;

/** Creates word vectors of documents, each of which has several texts. */
export function createWordVectorizer(): {
  add(texts: readonly string[]): void;
  /** @param views - number of views; by default, every text belongs to the only one. */
  vectors(views?: number, viewOf?: ViewOf): Omit<SparseVectors, 'id'>;
} {
  const ids = new Map<string, number>();
  const documents: Document[] = [];
  return {
    add(texts) {
      const counted = texts.map(countWords);
      const size = counted.reduce((sum, counts) => sum + counts.size, 0);
      const words = new Uint32Array(size);
      const counts = new Uint16Array(size);
      const ends = new Uint32Array(texts.length);
      let at = 0;
      for (const [text, countOf] of counted.entries()) {
        for (const [word, times] of countOf) {
          const id = ids.get(word) ?? ids.size;
          if (id === ids.size) ids.set(word, id);
          words[at] = id;
          counts[at++] = Math.min(MOST_COUNTED, times);
        }
        ends[text] = at;
      }
      documents.push({ words, counts, ends });
    },
    vectors(views = 1, viewOf = () => 0) {
      // Sort the words, so that neither components nor sums depend on the order of the texts.
      const components = new Uint32Array(ids.size);
      const vocabulary = [...ids.keys()].sort(compareKeys);
      for (const [component, word] of vocabulary.entries()) {
        components[ids.get(word) ?? 0] = component;
      }
      const rarity = Float64Array.from(frequenciesOf(documents, ids.size, viewOf), (frequency) => {
        return Math.log((documents.length + 1) / frequency) ** RARITY_POWER;
      });
      const slots = new Int32Array(ids.size).fill(-1);
      const rows = documents.map((document, index) =>
        rowOf(countViews(document, index, views, viewOf, slots), components, rarity),
      );
      return { kind: 'sparse', dimensions: ids.size, rows };
    },
  };
}

/** Counts the documents that contain each word. */
function frequenciesOf(
  documents: readonly Document[],
  vocabulary: number,
  viewOf: ViewOf,
): Uint32Array {
  const frequencies = new Uint32Array(vocabulary);
  const lastSeen = new Int32Array(vocabulary).fill(-1);
  for (const [index, { words, ends }] of documents.entries()) {
    let at = 0;
    for (const [text, end] of ends.entries()) {
      const isLeftOut = viewOf(index, text, ends.length) === undefined;
      for (; at < end; at++) {
        const word = words[at];
        if (isLeftOut || lastSeen[word] === index) continue;
        lastSeen[word] = index;
        frequencies[word]++;
      }
    }
  }
  return frequencies;
}

/** The words of a document's widest view, with their counts in each view. */
interface CountedViews {
  readonly words: readonly number[];
  readonly views: readonly (readonly number[])[];
}

/** @param slots - -1 for every word; restored before it returns. */
function countViews(
  { words, counts, ends }: Document,
  index: number,
  views: number,
  viewOf: ViewOf,
  slots: Int32Array,
): CountedViews {
  const distinct: number[] = [];
  const counted = Array.from({ length: views }, (): number[] => []);
  let at = 0;
  for (const [text, end] of ends.entries()) {
    const first = viewOf(index, text, ends.length);
    for (; at < end; at++) {
      if (first === undefined) continue;
      const word = words[at];
      if (slots[word] === -1) {
        slots[word] = distinct.push(word) - 1;
        for (const view of counted) view.push(0);
      }
      const slot = slots[word];
      for (let view = first; view < views; view++) {
        counted[view][slot] = Math.min(MOST_COUNTED, counted[view][slot] + counts[at]);
      }
    }
  }
  for (const word of distinct) slots[word] = -1;
  return { words: distinct, views: counted };
}

function rowOf(
  { words, views }: CountedViews,
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
