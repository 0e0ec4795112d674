// One instance serves every cache whose rows are in its memory. Calls are made in this order:
// `bind`, `normalize`, then `append` or `search`, whose hits are read before the next call.
//
// Segment of R rows (R a multiple of 16), each of L values (L a multiple of 8):
//   head     64 bytes        uint32 next segment in the ring, int32 rows used, int32 R
//   vectors  R·L float32     groups of four rows interleaved (scan.ts)
// and, unless it is flat, after them
//   plane 0  R·32 int8       coordinates 0…31 of the rotated rows, in blocks of sixteen (planes.ts)
//   plane 1  R·96 int8       32…127, or to L
//   plane 2  R·(L-128) int8  the rest
//   facts    a group of four rows: float32 scale×4, error×4, tail0×4, tail1×4
//   bounds   R float32       scratch of the current query
//   sums     R int32         likewise
//
// Workspace: input float64 L, input float32 L, unit float32 L, rotated float32 L, codes int8 L,
// factors int16 4L, signs float32 2L, sums int32 16, mask int16 8.
export { hitCount, positionOf, similarityOf } from './hits';
export { loss } from './refine';
export { search } from './search';
export { append, erase, link, take } from './segment';
export { bind, normalize } from './workspace';
