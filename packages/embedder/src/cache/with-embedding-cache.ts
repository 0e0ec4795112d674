import { assertTexts } from '../assert-texts.ts';
import type { Embedder } from '../embedder.ts';
import { EmbedderClosedError } from '../embedder-closed-error.ts';
import { cachedEmbed } from './cached-embed.ts';
import type { EmbeddingCacheOptions } from './embedding-cache.ts';

/**
 * An embedder that does not embed a text again that it embedded lately, or is embedding now. For
 * embedders of one's own; the transformers and the static embedder do so by themselves.
 *
 * @throws RangeError when a bound is not a number of at least 1.
 */
export function withEmbeddingCache(
  embedder: Embedder,
  options: EmbeddingCacheOptions = {},
): Required<Embedder> {
  const cached = cachedEmbed((texts, embedOptions) => embedder.embed(texts, embedOptions), options);
  let isClosed = false;
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    embed: async (texts, embedOptions) => {
      assertTexts(texts);
      if (isClosed) throw new EmbedderClosedError(embedder.id);
      return cached.embed(texts, embedOptions);
    },
    ready: async () => embedder.ready?.(),
    close: async () => {
      isClosed = true;
      cached.clear();
      await embedder.close?.();
    },
  };
}
