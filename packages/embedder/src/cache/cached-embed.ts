import type { Embedder, Embedding, EmbedOptions } from '../embedder.ts';
import { withSignal } from '../with-signal.ts';
import { EmbeddingCache, type EmbeddingCacheOptions } from './embedding-cache.ts';

/** An `embed` that remembers, and how to make it forget. */
export interface CachedEmbed {
  readonly embed: Embedder['embed'];
  clear(): void;
}

/**
 * An `embed` that does not embed a text again that it embedded lately, or is embedding now.
 *
 * Texts that are new go to `embed` in one call, each once. A failure is not remembered.
 *
 * @param options - false gives `embed` as it is.
 */
export function cachedEmbed(
  embed: Embedder['embed'],
  options: EmbeddingCacheOptions | false = {},
): CachedEmbed {
  if (options === false) return { embed, clear: () => undefined };
  const cache = new EmbeddingCache<Promise<Embedding>>(options);

  const embedAll = async (
    texts: readonly string[],
    { boundaries, signal }: EmbedOptions,
  ): Promise<Embedding[]> => {
    const keys = texts.map((text, i) => keyOf(text, boundaries?.[i]));
    const known = new Map<string, Promise<Embedding>>();
    const missing = new Map<string, number>();
    keys.forEach((key, i) => {
      const remembered = cache.get(key);
      if (remembered !== undefined) known.set(key, remembered);
      else if (!missing.has(key)) missing.set(key, i);
    });
    if (missing.size > 0) {
      const indices = [...missing.values()];
      const batch = embed(
        indices.map((index) => texts[index] as string),
        {
          ...(boundaries && { boundaries: indices.map((index) => boundaries[index]) }),
          ...(signal && { signal }),
        },
      );
      [...missing.keys()].forEach((key, i) => {
        const embedding = batch.then((all) => all[i] as Embedding);
        known.set(key, embedding);
        if (signal === undefined) {
          cache.set(key, embedding);
          embedding.catch(() => cache.delete(key));
        } else {
          // Work that one caller can stop is not shared before it is done.
          embedding.then(
            () => cache.set(key, embedding),
            () => undefined,
          );
        }
      });
    }
    return Promise.all(
      keys.map(async (key) => copyOf(await (known.get(key) as Promise<Embedding>))),
    );
  };

  return {
    embed: (texts, embedOptions = {}) =>
      withSignal(embedAll(texts, embedOptions), embedOptions.signal),
    clear: () => cache.clear(),
  };
}

/** Each caller owns its vector. */
function copyOf(embedding: Embedding): Embedding {
  return { ...embedding, vector: embedding.vector.slice() };
}

/** Boundaries may change where a text is cut, and so its vector. */
function keyOf(text: string, boundaries: readonly number[] = []): string {
  return boundaries.length === 0 ? text : `${boundaries.join()}\u0000${text}`;
}
