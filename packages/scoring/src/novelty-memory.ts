/** The remembered trace that is most similar to a query. */
export interface NearestTrace {
  /** What it was remembered under: the trace's id. */
  readonly key?: string | undefined;
  /** Cosine similarity, in [-1, 1]. */
  readonly similarity: number;
}

/**
 * What a scorer needs of a memory. `VectorCache` is one; a durable or shared store can be another,
 * answering at once or by a promise. The scorer calls one method at a time, in the order in which
 * the traces were given to it.
 */
export interface NoveltyMemory {
  /** Checked against the embedder's when it is there. */
  readonly dimensions?: number;
  /** The id of the embedder whose vectors it holds; checked when it is there. */
  readonly embedderId?: string | undefined;
  /** How many traces are remembered. */
  readonly size: number | Promise<number>;
  /** The most similar remembered trace; undefined when none is remembered. */
  nearest(vector: Float32Array): NearestTrace | undefined | Promise<NearestTrace | undefined>;
  /** Keeps a copy of the vector. */
  add(vector: Float32Array, key: string): void | Promise<void>;
}
