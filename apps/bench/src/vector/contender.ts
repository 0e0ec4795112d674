/** Vectors to search and what to search them for, the same for every contender. */
export interface VectorSet {
  readonly dimensions: number;
  /** Vectors kept. */
  readonly count: number;
  /** `[count × dimensions]`, one after the other, each of length 1. */
  readonly vectors: Float32Array;
  /** Each of length 1. */
  readonly queries: readonly Float32Array[];
}

/** One pass of queries. */
export interface Pass {
  /** Time of the whole pass. */
  readonly microseconds: number;
  /** The greatest similarity found for each query, once. */
  readonly similarities: ArrayLike<number>;
}

/** Something that finds the greatest similarity, measured a pass at a time. */
export interface Contender {
  readonly name: string;
  /** @param count - how many queries to make: from the first, and over again past the last. */
  run(count: number): Pass | Promise<Pass>;
  close?(): void;
}

/** Makes a contender over a set; undefined where what it needs is not installed. */
export type ContenderFactory = (set: VectorSet) => Promise<Contender | undefined>;

/** A contender that answers one query at a time in this process. */
export function contenderOf(
  name: string,
  set: VectorSet,
  query: (vector: Float32Array) => number,
  close?: () => void,
): Contender {
  const run = (count: number): Pass => {
    const { queries } = set;
    const similarities = new Float64Array(Math.min(count, queries.length));
    const start = performance.now();
    for (let done = 0; done < count; done++) {
      const index = done % queries.length;
      similarities[index] = query(queries[index] as Float32Array);
    }
    return { microseconds: (performance.now() - start) * 1000, similarities };
  };
  return close === undefined ? { name, run } : { name, run, close };
}
