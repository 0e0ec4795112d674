import { assertTexts } from '../assert-texts.ts';
import type { Embedder, Embedding } from '../embedder.ts';
import { normalize } from '../normalize.ts';
import { composed } from './composed.ts';
import { countFeatures } from './count-features.ts';
import { FeatureCounts } from './feature-counts.ts';

/** Part of the id: changes whenever the vector of any text does. */
const VERSION = 3;

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
 * texts. `embed` computes before it returns, and its promise is already resolved. Nothing is ever
 * truncated. A text without a letter, digit or ideograph gives the zero vector.
 *
 * @see Weinberger et al., Feature Hashing for Large Scale Multitask Learning (2009), for the signs.
 */
export function createLexicalEmbedder(options: LexicalEmbedderOptions = {}): Embedder {
  const { dimensions = 384 } = options;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 65_536) {
    throw new RangeError(`dimensions: expected an integer from 1 to 65536, received ${dimensions}`);
  }
  const counts = new FeatureCounts();

  const embedText = (text: string): Embedding => {
    countFeatures(composed(text), counts);
    const sums = new Float64Array(dimensions);
    counts.drain((feature, count, weight) => {
      const index = Math.floor(((feature >>> 1) * dimensions) / 2 ** 31);
      const value = weight * sublinear(count);
      sums[index] = (sums[index] as number) + ((feature & 1) === 0 ? value : -value);
    });
    const vector = Float32Array.from(sums);
    normalize(vector);
    return { vector, truncated: false };
  };

  return {
    id: `lexical/${VERSION}/${dimensions}`,
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

/**
 * 1 + ln(count), with the logarithm linear between powers of two: engines round `Math.log`
 * differently, this they all compute alike.
 */
function sublinear(count: number): number {
  const exponent = 31 - Math.clz32(count);
  return 1 + Math.LN2 * (exponent + count / 2 ** exponent - 1);
}
