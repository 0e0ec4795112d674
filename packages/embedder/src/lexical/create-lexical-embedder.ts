import { assertTexts } from '../assert-texts.ts';
import type { Embedder, Embedding } from '../embedder.ts';
import { normalize } from '../normalize.ts';
import { characterTables } from './character-classes.ts';
import { countFeatures } from './count-features.ts';
import { FeatureCounts } from './feature-counts.ts';

/** Options of `createLexicalEmbedder`. */
export interface LexicalEmbedderOptions {
  /** Length of the vectors, 1 to 65,536. Default 384. */
  readonly dimensions?: number;
}

/**
 * An embedder without a model: words and pairs of neighbouring words, hashed into the dimensions
 * with a sign, each weighted by the square root of its count. Two texts are as similar as the words
 * they share; meaning beyond the words is not seen.
 *
 * The vector of a text depends on the text and on `id` alone, not on engine, platform or earlier
 * texts. `embed` computes before it returns, and its promise is already resolved. Nothing is ever
 * truncated.
 */
export function createLexicalEmbedder(options: LexicalEmbedderOptions = {}): Embedder {
  const { dimensions = 384 } = options;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 65_536) {
    throw new RangeError(`dimensions: expected an integer from 1 to 65536, received ${dimensions}`);
  }
  const counts = new FeatureCounts();

  const embedText = (text: string): Embedding => {
    countFeatures(composed(text), characterTables(), counts);
    const vector = new Float32Array(dimensions);
    counts.drain((feature, count) => {
      const index = Math.floor(((feature >>> 1) * dimensions) / 2 ** 31);
      // The square root is exact to the last bit on every engine; logarithms are not.
      const weight = Math.sqrt(count);
      vector[index] = (vector[index] as number) + ((feature & 1) === 0 ? weight : -weight);
    });
    normalize(vector);
    return { vector, truncated: false };
  };

  return {
    id: `lexical/1/${dimensions}`,
    dimensions,
    embed: (texts) => {
      try {
        assertTexts(texts);
        return Promise.resolve(texts.map(embedText));
      } catch (error) {
        return Promise.reject(error);
      }
    },
  };
}

/** Canonical composition, so that é is one letter however it was typed. */
function composed(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) return text.normalize('NFC');
  }
  return text;
}
