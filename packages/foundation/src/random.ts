/**
 * Pseudo-random integers from 0 to below a bound, the same on every machine. Not for secrets.
 *
 * @param seed - an integer; its low 32 bits count.
 * @see Steele, Lea and Flood 2014, SplitMix; 32-bit variant (splitmix32).
 */
export function seededIntegers(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * below);
  };
}
