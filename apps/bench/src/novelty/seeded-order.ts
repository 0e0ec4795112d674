/**
 * The numbers below `length` in an order that depends on the seed alone.
 *
 * @see Durstenfeld, Algorithm 235 (1964), for the shuffle; the generator is xorshift32, Marsaglia,
 *   Xorshift RNGs (2003).
 */
export function seededOrder(length: number, seed: number): number[] {
  // A generator of this kind must not start at 0.
  let state = (Math.imul(seed + 1, 0x9e3779b1) | 1) >>> 0;
  const order = Array.from({ length }, (_, index) => index);
  for (let i = length - 1; i > 0; i--) {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}
