import type { Embedder, Embedding } from '@kp/embedder';

export interface StandInEmbedder extends Embedder {
  /** The texts in the order in which the embedder received them. */
  readonly asked: string[];
  closed: boolean;
}

/** An embedder that returns the given results after the given delays. */
export function standInEmbedder(
  dimensions: number,
  answer: (text: string) => Float32Array | Promise<Float32Array>,
): StandInEmbedder {
  const asked: string[] = [];
  return {
    id: 'stand-in',
    dimensions,
    asked,
    closed: false,
    async embed(texts): Promise<Embedding[]> {
      asked.push(...texts);
      const vectors = await Promise.all(texts.map(answer));
      return vectors.map((vector) => ({ vector, truncated: false }));
    },
    async close() {
      this.closed = true;
    },
  };
}

/** Returns a vector that depends only on the text and differs between texts. */
export function hashedVector(text: string, dimensions: number): Float32Array {
  let state = 2166136261;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 16777619);
  }
  return Float32Array.from({ length: dimensions }, () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 1;
    return ((state >>> 8) & 0xffff) / 0xffff - 0.5;
  });
}

/** Resolves to the result of `make` after the given number of milliseconds. */
export async function later<T>(milliseconds: number, make: () => T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return make();
}
