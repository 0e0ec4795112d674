import { createPause, InvalidValueError } from '@kp/foundation';
import { assertTexts } from '../embed-call.ts';
import type { Embedder, Embedding } from '../embedder.ts';
import { beginsWord, composed } from './character-table.ts';
import { LexicalFeatures } from './features.ts';

/** Part of the id: changes whenever the vector of any text does. */
const VERSION = 4;

/** Texts are read in pieces of this many characters, some milliseconds each. */
const PIECE_LENGTH = 131_072;

/** Options of `createLexicalEmbedder`. */
export interface LexicalEmbedderOptions {
  /** Length of the vectors, 1 to 65,536. Default 384. */
  readonly dimensions?: number;
}

/**
 * An embedder without a model: words and pairs of neighbouring words, hashed into the dimensions
 * with a sign. Two texts are as similar as the words they share, those at the start and those with
 * capitals most of all; meaning beyond the words is not seen.
 *
 * The vector of a text depends on the text and on `id` alone, not on engine, platform or earlier
 * texts. Nothing is ever truncated. A text without a letter, digit, ideograph or emoji gives the zero
 * vector. Texts of up to 131,072 characters in all are embedded before `embed` returns, its promise
 * already resolved; more of them in slices of some milliseconds, between which the event loop turns
 * and the signal is heeded.
 *
 * @throws InvalidValueError when the dimensions are out of their range.
 * @see Weinberger et al., Feature Hashing for Large Scale Multitask Learning (2009), for the signs.
 */
export function createLexicalEmbedder(options: LexicalEmbedderOptions = {}): Embedder {
  const { dimensions = 384 } = options;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 65_536) {
    throw new InvalidValueError('dimensions', 'an integer from 1 to 65536', dimensions);
  }
  const shared = new LexicalFeatures(dimensions);

  const embedAtOnce = (text: string): Embedding => {
    shared.read(composed(text));
    return { vector: shared.finish(), truncated: false };
  };

  const embedInSlices = async (
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Embedding[]> => {
    // Its own: other calls are answered between the slices.
    const features = new LexicalFeatures(dimensions);
    const pause = createPause(signal);
    const embeddings: Embedding[] = [];
    for (const text of texts) {
      for (let from = 0; from < text.length; ) {
        const end = pieceEnd(text, from);
        features.read(composed(text.slice(from, end)));
        from = end;
        await pause();
      }
      embeddings.push({ vector: features.finish(), truncated: false });
    }
    return embeddings;
  };

  return {
    id: `lexical/${VERSION}/${dimensions}`,
    dimensions,
    embed: (texts, { signal } = {}) => {
      try {
        assertTexts(texts);
        signal?.throwIfAborted();
        const length = texts.reduce((sum, text) => sum + text.length, 0);
        if (length > PIECE_LENGTH) return embedInSlices([...texts], signal);
        return Promise.resolve(texts.map(embedAtOnce));
      } catch (error) {
        return Promise.reject(error);
      }
    },
  };
}

/**
 * The first place after a piece of the usual length where a cut changes no word and no accent; twice
 * that length where there is none, so that a word longer than any language has is cut.
 */
function pieceEnd(text: string, from: number): number {
  const latest = Math.min(text.length, from + 2 * PIECE_LENGTH);
  let end = Math.min(text.length, from + PIECE_LENGTH);
  while (end < latest && !beginsWord(text.charCodeAt(end))) end++;
  return end;
}
