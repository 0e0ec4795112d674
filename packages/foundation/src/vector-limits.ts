/** Number of components of the longest vector that an embedder may make and a memory may store. */
export const MAX_DIMENSIONS = 65_536;

/** Most vectors of one memory or similarity graph; their numbers are int32. */
export const MAX_VECTORS: number = 2 ** 31 - 1;
