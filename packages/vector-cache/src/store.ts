/** What computes the answers of a cache. */
export type Engine = 'wasm-simd' | 'typescript';

/** Where a search found a vector, and how similar it is. Written in place by the searches. */
export interface Hit {
  /** Place in order of age: 0 is the oldest entry. */
  position: number;
  similarity: number;
}

/**
 * Unit vectors in order of age, and the searches over them. Ties go to the oldest everywhere. A
 * vector is loaded first and then appended or searched for, with nothing in between.
 */
export interface VectorStore {
  readonly engine: Engine;
  readonly size: number;
  /** Memory held for vectors and what belongs to them. */
  readonly bytes: number;
  /** Takes in a caller's vector; `subject` is its name in error messages. */
  load(subject: string, vector: ArrayLike<number>): void;
  /** Takes in a vector that `read` gave, at `offset`. */
  loadUnit(vectors: Float32Array, offset: number): void;
  /** Keeps the vector loaded. Fewer than `maxElements` are stored. */
  append(): void;
  dropOldest(count: number): void;
  clear(): void;
  /**
   * Writes the greatest similarity into `hit`; false, and `hit` untouched, when empty or when it is
   * under `floor`.
   */
  nearest(floor: number, hit: Hit): boolean;
  /** Whether any similarity is at least `floor`. */
  reaches(floor: number): boolean;
  /** The `k` greatest similarities of at least `floor`, best first. */
  search(k: number, floor: number): Hit[];
  /** Copies the vector at `position` to `target[offset…]`, without the padding. */
  read(position: number, target: Float32Array, offset: number): void;
}
