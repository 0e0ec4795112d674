import { assertTexts } from '../embedding/embed-call.ts';
import {
  type ClosableEmbedder,
  closable,
  type Embedder,
  type Embedding,
  type EmbedOptions,
} from '../embedding/embedder.ts';
import { cachedEmbed, type EmbeddingCacheOptions } from '../embedding/embedding-cache.ts';
import { EmbedderClosedError } from '../embedding/errors.ts';

/** A model that embeds, in this thread or in another. */
export interface ModelRunner {
  ready(): Promise<void>;
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embedding[]>;
  close(): Promise<void>;
}

/**
 * An embedder over a model runner, with checks of its arguments and a cache.
 *
 * @param start - called by the first call, and again by the next one if it fails.
 */
export function runnerEmbedder(
  { id, dimensions }: Pick<Embedder, 'id' | 'dimensions'>,
  cache: EmbeddingCacheOptions | false | undefined,
  start: () => Promise<ModelRunner>,
): ClosableEmbedder {
  let runner: Promise<ModelRunner> | undefined;
  let closed: Promise<void> | undefined;

  const assertOpen = (): void => {
    if (closed !== undefined) throw new EmbedderClosedError(id);
  };
  const started = (): Promise<ModelRunner> => {
    runner ??= start().catch((error: unknown) => {
      runner = undefined;
      throw error;
    });
    return runner;
  };
  const cached = cachedEmbed(
    { id, dimensions },
    async (texts, options = {}) => {
      const copy = [...texts];
      return (await started()).embed(copy, options);
    },
    cache,
  );

  return closable({
    id,
    dimensions,
    embed: async (texts, options) => {
      assertTexts(texts);
      assertOpen();
      return cached.embed(texts, options);
    },
    ready: async () => {
      assertOpen();
      await (await started()).ready();
    },
    close: () => {
      closed ??= runner?.then((running) => running.close()) ?? Promise.resolve();
      cached.clear();
      return closed;
    },
  });
}
