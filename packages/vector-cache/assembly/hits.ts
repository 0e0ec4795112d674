// The best hits of the current query: a heap of (position, similarity) with the worst at its
// root. Among equal similarities, the smaller position (the older entry) is better.

/** Similarity that a row must reach to become a hit; rises as better ones are found. */
export let threshold: f32 = 0;
/** Product that a row must reach for its similarity to reach the threshold. */
export let gate: f32 = 0;
/** A row with at least this product may equal the query, so that its similarity is 1. */
let ownProduct: f32 = 0;
let count: i32 = 0;
let heap: usize = 0;
let limit: i32 = 0;
let skipped: i32 = -1;
let mask: usize = 0;

/**
 * Starts a new heap. `at` has room for `k` hits of 8 bytes. A hit must be at least `floor`, and its
 * bit in the mask at `allowed` must be set, unless `allowed` is 0. A row with a product of at least
 * `own` may equal the query.
 */
export function beginHits(at: usize, k: i32, floor: f32, allowed: usize, own: f32): void {
  heap = at;
  mask = allowed;
  limit = k;
  ownProduct = own;
  count = 0;
  skipped = -1;
  setThreshold(floor);
}

function setThreshold(similarity: f32): void {
  threshold = similarity;
  gate = min(similarity, ownProduct);
}

/** Continues with a heap that has `hits` hits; further hits must reach `least`. */
export function resumeHits(at: usize, k: i32, hits: i32, least: f32): void {
  beginHits(at, k, least, 0, 1);
  count = hits;
}

/** Skips the row at `position` from now on: it has already been offered. */
export function skip(position: i32): void {
  skipped = position;
}

/** Keeps a row whose similarity is at least `threshold`, if it is among the best. */
export function offer(position: i32, similarity: f32): void {
  if (position === skipped) return;
  if (mask !== 0 && ((load<u8>(mask + (position >> 3)) >> (position & 7)) & 1) === 0) return;
  if (count < limit) {
    put(count, position, similarity);
    siftUp(count++);
  } else {
    if (!isBetter(position, similarity, 0)) return;
    put(0, position, similarity);
    siftDown();
  }
  if (count === limit) setThreshold(load<f32>(heap, 4));
}

function siftUp(from: i32): void {
  for (let child = from; child > 0; ) {
    const parent = (child - 1) >> 1;
    if (!swapIfBetter(parent, child)) return;
    child = parent;
  }
}

function siftDown(): void {
  for (let parent = 0; ; ) {
    let child = 2 * parent + 1;
    if (child >= count) return;
    if (child + 1 < count && isBetter(positionOf(child), similarityOf(child), child + 1)) child++;
    if (!swapIfBetter(parent, child)) return;
    parent = child;
  }
}

function swapIfBetter(parent: i32, child: i32): bool {
  const position = positionOf(parent);
  const similarity = similarityOf(parent);
  if (!isBetter(position, similarity, child)) return false;
  put(parent, positionOf(child), similarityOf(child));
  put(child, position, similarity);
  return true;
}

function isBetter(position: i32, similarity: f32, than: i32): bool {
  const other = similarityOf(than);
  return similarity === other ? position < positionOf(than) : similarity > other;
}

export function hitCount(): i32 {
  return count;
}

export function positionOf(index: i32): i32 {
  return load<i32>(heap + (index << 3));
}

export function similarityOf(index: i32): f32 {
  return load<f32>(heap + (index << 3), 4);
}

function put(index: i32, position: i32, similarity: f32): void {
  store<i32>(heap + (index << 3), position);
  store<f32>(heap + (index << 3), similarity, 4);
}
