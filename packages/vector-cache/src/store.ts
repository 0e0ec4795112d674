/** Where a search found a vector, and how similar it is. Written in place by the searches. */
export interface Hit {
  /** Place in order of age: 0 is the oldest entry. */
  position: number;
  similarity: number;
}

/**
 * Unit vectors in order of age, and the searches over them. Ties go to the oldest everywhere.
 * Vectors come in and go out as float32 of the padded length.
 */
export interface VectorStore {
  readonly size: number;
  append(unit: Float32Array): void;
  dropOldest(count: number): void;
  clear(): void;
  /** Writes the greatest similarity into `hit`; false, and `hit` untouched, when empty. */
  nearest(query: Float32Array, hit: Hit): boolean;
  /** The `k` most similar, best first; fewer when fewer are stored. */
  search(query: Float32Array, k: number): Hit[];
  /** Copies the vector at `position` to `target[offset…]`, without the padding. */
  read(position: number, dimensions: number, target: Float32Array, offset: number): void;
}
