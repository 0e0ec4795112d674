import { assertTexts } from '../assert-texts.ts';
import { cachedEmbed } from '../cache/cached-embed.ts';
import type { Embedder, Embedding } from '../embedder.ts';
import { EmbedderClosedError } from '../embedder-closed-error.ts';
import { EmbedderLoadError } from '../embedder-load-error.ts';
import { retryingLoad } from '../retrying-load.ts';
import { withSignal } from '../with-signal.ts';
import { type LoadedStaticModel, loadStaticModel } from './load-static-model.ts';
import { dimensionsOf, peekDimensions } from './peek-dimensions.ts';
import { isAddress, missingError } from './read-static-file.ts';
import type { StaticEmbedderOptions } from './static-embedder-options.ts';
import { importTokenizers, type TokenizersLibrary } from './tokenizers-library.ts';

/**
 * An embedder over the files of a model2vec model: the mean of one stored vector a token. No native
 * code; `@huggingface/tokenizers` is its optional peer. Reads whole texts unless `maxTokens` says
 * otherwise. A text of which no token is known gives the zero vector.
 *
 * Creating it reads the header of the model for its dimensions, and nothing when they are given. The
 * first `embed` or `ready` loads the rest, once for all callers, and rejects with an
 * `EmbedderLoadError` when that fails, at once until its `retryAt`; the first call after that tries
 * again.
 *
 * @throws RangeError when an option is out of its range.
 * @throws TypeError when not exactly one of `path` and `files` is given, or `path` is an address and
 *   `dimensions` are left out.
 * @throws EmbedderLoadError when the dimensions are left out and cannot be read.
 * @see https://github.com/MinishLab/model2vec
 */
export function createStaticEmbedder(options: StaticEmbedderOptions): Required<Embedder> {
  if ((options.path === undefined) === (options.files === undefined)) {
    throw new TypeError('static embedder: expected one of path and files');
  }
  const { maxTokens = Number.POSITIVE_INFINITY, pooling = 'mean' } = options;
  if (!(maxTokens >= 1)) {
    throw new RangeError(`maxTokens: expected a number of at least 1, received ${maxTokens}`);
  }
  if (pooling !== 'mean' && pooling !== 'start') {
    throw new RangeError(`pooling: expected mean or start, received ${String(pooling)}`);
  }
  const dimensions = options.dimensions ?? readDimensions(options);
  const limit = Number.isFinite(maxTokens) ? `/${maxTokens}` : '';
  const id = `static/${options.name ?? modelName(options)}/${dimensions}${limit}${pooling === 'start' ? '/start' : ''}`;
  // Holds the model; undefined once closed.
  let load: (() => Promise<LoadedStaticModel>) | undefined = retryingLoad(
    async () => loadStaticModel(await library(options), options, dimensions),
    options.retry,
  );

  const loaded = (): Promise<LoadedStaticModel> =>
    load === undefined ? Promise.reject(new EmbedderClosedError(id)) : load();

  const embedText = ({ model, tokenize }: LoadedStaticModel, text: string): Embedding => {
    const ids = tokenize(text, maxTokens);
    const truncated = ids.length > maxTokens;
    if (truncated) ids.length = maxTokens;
    return { vector: model.meanVector(ids, pooling), truncated, tokens: ids.length };
  };

  const cached = cachedEmbed(async (texts, { signal } = {}) => {
    const copy = [...texts];
    const model = await withSignal(loaded(), signal);
    return copy.map((text) => embedText(model, text));
  }, options.cache);

  return {
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
      cached.clear();
    },
  };
}

function library({ tokenizers }: StaticEmbedderOptions): Promise<TokenizersLibrary> {
  if (tokenizers === undefined) return importTokenizers();
  return typeof tokenizers === 'function' ? tokenizers() : Promise.resolve(tokenizers);
}

function readDimensions({ path, files }: StaticEmbedderOptions): number {
  const subject = path === undefined ? 'files.model' : `${path}/model.safetensors`;
  if (isAddress(subject)) {
    throw new TypeError('dimensions: expected a number beside a path that is an address');
  }
  try {
    return files === undefined ? peekDimensions(subject) : dimensionsOf(files.model);
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw missingError(subject, cause);
    throw new EmbedderLoadError({
      code: 'FILE_DAMAGED',
      subject,
      expected: 'the header of a model2vec model',
      received: cause instanceof Error ? cause.message : String(cause),
      remedy: 'Replace the file, or give dimensions to have it read later.',
      cause,
    });
  }
}

function modelName({ path, files }: StaticEmbedderOptions): string {
  if (path !== undefined) return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
  return fingerprint(files?.model ?? new Uint8Array());
}

/** FNV-1a over about 65,536 bytes spread over the model: told apart, not proven the same. */
function fingerprint(bytes: Uint8Array): string {
  const stride = Math.max(1, Math.floor(bytes.length / 65_536));
  let hash = 0x811c9dc5 ^ bytes.length;
  for (let i = 0; i < bytes.length; i += stride) {
    hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
