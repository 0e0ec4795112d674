import { createPause, InvalidValueError, rejectOnAbort } from '@kp/foundation';
import { assertOptions, assertTexts } from '../embedding/embed-call.ts';
import {
  type ClosableEmbedder,
  closable,
  type Embedding,
  type EmbedOptions,
} from '../embedding/embedder.ts';
import { cachedEmbed } from '../embedding/embedding-cache.ts';
import { EmbedderClosedError } from '../embedding/errors.ts';
import { assertRetry, retryingLoad } from '../embedding/loading.ts';
import { type LoadedStaticModel, loadStaticModel } from './load-static-model.ts';
import { type StaticEmbedderOptions, staticSource } from './static-source.ts';
import { importTokenizers, type TokenizersLibrary } from './static-tokenizer.ts';

const STATIC_OPTIONS: Readonly<Record<keyof StaticEmbedderOptions, true>> = {
  path: true,
  files: true,
  name: true,
  dimensions: true,
  maxTokens: true,
  pooling: true,
  sha256: true,
  cache: true,
  retry: true,
  tokenizers: true,
};

/**
 * An embedder over the files of a model2vec model: the mean of one stored vector per token. No native
 * code; `@huggingface/tokenizers` is its optional peer. Reads whole texts unless `maxTokens` is set. A
 * text without a known token gives the zero vector.
 *
 * Creating it reads both files for its `id` and dimensions, and later loads those bytes. It reads
 * nothing if `path` is an address, or with `dimensions` and a `name` or both hashes. The first `embed`
 * or `ready` loads the model, once for all callers, and rejects with an `EmbedderLoadError` if that
 * fails. Until its `retryAt` further calls reject at once. `close` aborts a download. Long texts are
 * embedded in slices of some milliseconds.
 *
 * @throws InvalidValueError when an option is out of range.
 * @throws InvalidTypeError unless exactly one of `path` and `files` is given, and `dimensions` beside
 *   an address.
 * @throws EmbedderLoadError when a file that is read at once cannot be read.
 * @see https://github.com/MinishLab/model2vec
 */
export function createStaticEmbedder(options: StaticEmbedderOptions): ClosableEmbedder {
  assertOptions(options, STATIC_OPTIONS);
  assertRetry(options.retry);
  const { maxTokens = Number.POSITIVE_INFINITY, pooling = 'mean' } = options;
  if (!(maxTokens >= 1))
    throw new InvalidValueError('maxTokens', 'a number of at least 1', maxTokens);
  if (pooling !== 'mean' && pooling !== 'start') {
    throw new InvalidValueError('pooling', 'mean or start', pooling);
  }
  const source = staticSource(options);
  const { name, dimensions } = source;
  const limit = Number.isFinite(maxTokens) ? `/${maxTokens}` : '';
  const id = `static/${name}/${dimensions}${limit}${pooling === 'start' ? '/start' : ''}`;
  const closing = new AbortController();
  // Keeps the model in memory; undefined after `close`.
  let load: (() => Promise<LoadedStaticModel>) | undefined = retryingLoad(
    async () => loadStaticModel(await library(options), source, closing.signal),
    options.retry,
  );

  const loaded = async (signal?: AbortSignal): Promise<LoadedStaticModel> => {
    if (load === undefined) throw new EmbedderClosedError(id);
    return rejectOnAbort(rejectOnAbort(load(), closing.signal), signal);
  };

  const embedText = async (
    { model, tokenize }: LoadedStaticModel,
    text: string,
    pause: () => Promise<void>,
  ): Promise<Embedding> => {
    const mean = model.startMean(pooling);
    let tokens = 0;
    let truncated = false;
    for (const ids of tokenize(text)) {
      truncated = tokens + ids.length > maxTokens;
      const read = truncated ? ids.slice(0, maxTokens - tokens) : ids;
      mean.add(read);
      tokens += read.length;
      if (truncated) break;
      await pause();
    }
    return { vector: mean.vector(), truncated, tokens };
  };

  const embedAll = async (
    texts: readonly string[],
    { signal }: EmbedOptions = {},
  ): Promise<Embedding[]> => {
    const copy = [...texts];
    const model = await loaded(signal);
    const pause = createPause(signal);
    const embeddings: Embedding[] = [];
    for (const text of copy) embeddings.push(await embedText(model, text, pause));
    return embeddings;
  };
  const cached = cachedEmbed({ id, dimensions }, embedAll, options.cache);

  return closable({
    id,
    dimensions,
    embed: async (texts, embedOptions) => {
      assertTexts(texts);
      if (load === undefined) throw new EmbedderClosedError(id);
      return cached.embed(texts, embedOptions);
    },
    ready: async () => void (await loaded()),
    close: async () => {
      load = undefined;
      closing.abort(new EmbedderClosedError(id));
      cached.clear();
    },
  });
}

function library({ tokenizers }: StaticEmbedderOptions): Promise<TokenizersLibrary> {
  if (tokenizers === undefined) return importTokenizers();
  return typeof tokenizers === 'function' ? tokenizers() : Promise.resolve(tokenizers);
}
