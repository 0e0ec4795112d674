import { assertTexts, withSignal } from './embed-call.ts';
import { closable, type Embedder, type Embedding, type EmbedOptions } from './embedder.ts';
import { EmbedderClosedError, invalidValue } from './errors.ts';

/** Bounds of a cache of embeddings. */
export interface EmbeddingCacheOptions {
  /** Most texts remembered. Default 256. */
  readonly maxTexts?: number;
  /** Most characters of all the texts remembered. Default 4,194,304. */
  readonly maxCharacters?: number;
}

/**
 * An embedder that does not embed a text again that it embedded lately, or is embedding now. For
 * embedders of one's own; the transformers and the static embedder do so by themselves.
 *
 * @param embedder - the one to spare calls of.
 * @throws RangeError when a bound is not a number of at least 1.
 */
export function withEmbeddingCache(
  embedder: Embedder,
  options: EmbeddingCacheOptions = {},
): Required<Embedder> {
  const cached = cachedEmbed((texts, embedOptions) => embedder.embed(texts, embedOptions), options);
  let isClosed = false;
  return closable({
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
  });
}

/** An `embed` that remembers, and how to make it forget. */
export interface CachedEmbed {
  readonly embed: Embedder['embed'];
  clear(): void;
}

/**
 * An `embed` that does not embed a text again that it embedded lately, or is embedding now.
 *
 * Texts that are new go to `embed` in one call, each once. A failure is not remembered, and neither is
 * what was under way when the cache was cleared.
 *
 * @param options - false gives `embed` as it is.
 */
export function cachedEmbed(
  embed: Embedder['embed'],
  options: EmbeddingCacheOptions | false = {},
): CachedEmbed {
  if (options === false) return { embed, clear: () => undefined };
  let cache = new RecentEmbeddings(options);

  const embedAll = async (
    texts: readonly string[],
    { boundaries, signal }: EmbedOptions,
  ): Promise<Embedding[]> => {
    const remembered = cache;
    const keys = texts.map((text, i) => keyOf(text, boundaries?.[i]));
    const known = new Map<string, Promise<Embedding>>();
    const missing = new Map<string, number>();
    keys.forEach((key, i) => {
      const embedding = remembered.get(key);
      if (embedding !== undefined) known.set(key, embedding);
      else if (!missing.has(key)) missing.set(key, i);
    });
    if (missing.size > 0) {
      const indices = [...missing.values()];
      const missingTexts = indices.map((index) => texts[index]);
      const batch = embed(missingTexts, {
        boundaries: boundaries && indices.map((index) => boundaries[index]),
        signal,
      });
      [...missing.keys()].forEach((key, i) => {
        const embedding = batch.then((all) => all[i]);
        known.set(key, embedding);
        // Work that one caller can stop is not shared before it is done.
        if (signal === undefined) remembered.set(key, embedding);
        embedding.then(
          () => remembered.set(key, embedding),
          () => remembered.delete(key),
        );
      });
    }
    return Promise.all(
      keys.map(async (key) => copyOf(await (known.get(key) as Promise<Embedding>))),
    );
  };

  return {
    embed: (texts, embedOptions = {}) =>
      withSignal(embedAll(texts, embedOptions), embedOptions.signal),
    clear: () => {
      cache = new RecentEmbeddings(options);
    },
  };
}

/** Each caller owns its vector. */
function copyOf(embedding: Embedding): Embedding {
  return { ...embedding, vector: embedding.vector.slice() };
}

/**
 * Boundaries may change where a text is cut, and so its vector. They are digits and commas, so that the
 * first zero byte ends them, whatever the text has.
 */
function keyOf(text: string, boundaries: readonly number[] = []): string {
  return `${boundaries.join()}\u0000${text}`;
}

/** What was used last, by key: bounded in entries and in characters. */
class RecentEmbeddings {
  readonly #maxTexts: number;
  readonly #maxCharacters: number;
  /** In the order of use, oldest first. */
  readonly #entries: Map<string, Promise<Embedding>> = new Map();
  #characters = 0;

  /** @throws RangeError when a bound is not a number of at least 1. */
  constructor({ maxTexts = 256, maxCharacters = 4_194_304 }: EmbeddingCacheOptions) {
    assertBound('maxTexts', maxTexts);
    assertBound('maxCharacters', maxCharacters);
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

  /** Remembers a value; forgets those not used for longest where there is no room. */
  set(key: string, value: Promise<Embedding>): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#characters += key.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxTexts && this.#characters <= this.#maxCharacters) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#characters -= key.length;
  }
}

function assertBound(name: string, value: number): void {
  if (!(value >= 1)) throw invalidValue(name, 'a number of at least 1', value);
}
