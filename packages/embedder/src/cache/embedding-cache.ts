/** Bounds of a cache of embeddings. */
export interface EmbeddingCacheOptions {
  /** Most texts remembered. Default 256. */
  readonly maxTexts?: number;
  /** Most characters of all the texts remembered. Default 4,194,304. */
  readonly maxCharacters?: number;
}

/** What was used last, by the text itself: bounded in entries and in characters. */
export class EmbeddingCache<T> {
  readonly #maxTexts: number;
  readonly #maxCharacters: number;
  /** In the order of use, oldest first. */
  readonly #entries: Map<string, T> = new Map();
  #characters = 0;

  /** @throws RangeError when a bound is not a number of at least 1. */
  constructor({ maxTexts = 256, maxCharacters = 4_194_304 }: EmbeddingCacheOptions = {}) {
    assertBound('maxTexts', maxTexts);
    assertBound('maxCharacters', maxCharacters);
    this.#maxTexts = maxTexts;
    this.#maxCharacters = maxCharacters;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  /** Remembers a value; forgets those not used for longest where there is no room. */
  set(key: string, value: T): void {
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

  clear(): void {
    this.#entries.clear();
    this.#characters = 0;
  }
}

function assertBound(name: string, value: number): void {
  if (value >= 1) return;
  throw new RangeError(`${name}: expected a number of at least 1, received ${value}`);
}
