import { describeValue, InvalidTypeError, rejectOnAbort } from '@kp/foundation';
import { assertAtLeast, assertOptions, assertTexts, copyEmbedding } from './embed-call.ts';
import {
  type ClosableEmbedder,
  closable,
  type Embedder,
  type Embedding,
  type EmbedOptions,
} from './embedder.ts';
import { EmbedderClosedError, EmbeddingError } from './errors.ts';

/** Limits of a cache of embeddings. */
export interface EmbeddingCacheOptions {
  /** Maximum number of texts. Default 256. */
  readonly maxTexts?: number;
  /** Maximum number of characters of all texts together. Default 4,194,304. */
  readonly maxCharacters?: number;
}

const CACHE_OPTIONS: Readonly<Record<keyof EmbeddingCacheOptions, true>> = {
  maxTexts: true,
  maxCharacters: true,
};

/**
 * An embedder that does not embed a text again that it embedded recently, or is embedding now. For
 * your own embedders; the transformers and the static embedder have a cache.
 *
 * Every answer of `embedder` is checked. An invalid one (a vector that is missing, of another length
 * or not finite) rejects the calls that asked for its text with an `EmbeddingError`, and is not
 * cached. So does an answer with the wrong number of embeddings, for all of its texts.
 *
 * @param embedder - computes the embeddings that are not cached.
 * @throws InvalidTypeError when `embedder` has no `embed`, or the options are not an object.
 * @throws InvalidValueError when a limit is not a number of at least 1.
 */
export function withEmbeddingCache(
  embedder: Embedder,
  options: EmbeddingCacheOptions = {},
): ClosableEmbedder {
  if (typeof embedder?.embed !== 'function') {
    throw new InvalidTypeError('embedder', 'an object with embed()', embedder);
  }
  assertOptions(options, CACHE_OPTIONS);
  const { id, dimensions } = embedder;
  const cached = cachedEmbed(
    embedder,
    (texts, embedOptions) => embedder.embed(texts, embedOptions),
    options,
  );
  let isClosed = false;
  return closable({
    id,
    dimensions,
    ...(embedder.textOf === undefined ? {} : { textOf: (trace) => embedder.textOf?.(trace) ?? '' }),
    embed: async (texts, embedOptions) => {
      assertTexts(texts);
      if (isClosed) throw new EmbedderClosedError(id);
      return cached.embed(texts, embedOptions);
    },
    ready: async () => embedder.ready?.(),
    close: async () => {
      isClosed = true;
      cached.clear();
      await embedder.close?.();
    },
  });
}

/** An `embed` with a cache, and a function that empties the cache. */
export interface CachedEmbed {
  readonly embed: Embedder['embed'];
  clear(): void;
}

/**
 * Adds a cache to `embed`. New texts are passed to `embed` in one call, each once. Failures are not
 * cached, and neither is anything that was in progress when the cache was cleared.
 *
 * @param options - false returns `embed` unchanged.
 * @throws InvalidTypeError when the options are not an object or false, InvalidValueError when one is unknown
 *   or out of range.
 */
export function cachedEmbed(
  embedder: Pick<Embedder, 'id' | 'dimensions'>,
  embed: Embedder['embed'],
  options: EmbeddingCacheOptions | false = {},
): CachedEmbed {
  if (options === false) return { embed, clear: () => undefined };
  assertOptions(options, CACHE_OPTIONS, 'cache');
  let cache = new RecentEmbeddings(options);

  const embedNew = async (texts: string[], embedOptions: EmbedOptions): Promise<unknown[]> => {
    const answers: unknown = await embed(texts, embedOptions);
    if (Array.isArray(answers) && answers.length === texts.length) return answers;
    const received = Array.isArray(answers) ? `${answers.length}` : describeValue(answers);
    throw new EmbeddingError(embedder.id, `${texts.length} embeddings`, received);
  };

  const embedAll = async (
    texts: readonly string[],
    { boundaries, signal }: EmbedOptions,
  ): Promise<Embedding[]> => {
    const currentCache = cache;
    const keys = texts.map((text, i) => keyOf(text, boundaries?.[i]));
    const known = new Map<string, Promise<Embedding>>();
    const missing = new Map<string, number>();
    for (const [i, key] of keys.entries()) {
      const embedding = currentCache.get(key);
      if (embedding !== undefined) known.set(key, embedding);
      else if (!missing.has(key)) missing.set(key, i);
    }
    if (missing.size > 0) {
      const indices = [...missing.values()];
      const answers = embedNew(
        indices.map((index) => texts[index]),
        { boundaries: boundaries && indices.map((index) => boundaries[index]), signal },
      );
      for (const [i, key] of [...missing.keys()].entries()) {
        const embedding = answers.then((all) => copyEmbedding(embedder, all[i]));
        known.set(key, embedding);
        // A call that its caller can abort is shared only after it has finished.
        if (signal === undefined) currentCache.set(key, embedding);
        embedding.then(
          () => currentCache.set(key, embedding),
          () => currentCache.delete(key, embedding),
        );
      }
    }
    return Promise.all(
      keys.map(async (key) => ownCopy(await (known.get(key) as Promise<Embedding>))),
    );
  };

  return {
    embed: (texts, embedOptions = {}) =>
      rejectOnAbort(embedAll(texts, embedOptions), embedOptions.signal),
    clear: () => {
      cache = new RecentEmbeddings(options);
    },
  };
}

/** Each caller owns its vector. */
function ownCopy(embedding: Embedding): Embedding {
  return { ...embedding, vector: embedding.vector.slice() };
}

/**
 * The key includes the boundaries, which can change where a text is cut, and so its vector. They are
 * digits and commas, so the first zero byte ends them, whatever the text contains.
 */
function keyOf(text: string, boundaries: readonly number[] = []): string {
  return `${boundaries.join()}\u0000${text}`;
}

/** The most recently used embeddings by key, limited in number and in characters. */
class RecentEmbeddings {
  readonly #maxTexts: number;
  readonly #maxCharacters: number;
  /** The least recently used first. */
  readonly #entries: Map<string, Promise<Embedding>> = new Map();
  #characters = 0;

  constructor({ maxTexts = 256, maxCharacters = 4_194_304 }: EmbeddingCacheOptions) {
    assertAtLeast('maxTexts', maxTexts, 1);
    assertAtLeast('maxCharacters', maxCharacters, 1);
    this.#maxTexts = maxTexts;
    this.#maxCharacters = maxCharacters;
  }

  get(key: string): Promise<Embedding> | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  /** Adds or replaces an entry, then removes the least recently used ones over the limits. */
  set(key: string, value: Promise<Embedding>): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#characters += key.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxTexts && this.#characters <= this.#maxCharacters) break;
      this.delete(oldest);
    }
  }

  /** @param value - the entry is kept if it has another value. */
  delete(key: string, value = this.#entries.get(key)): void {
    if (this.#entries.get(key) !== value) return;
    if (this.#entries.delete(key)) this.#characters -= key.length;
  }
}
