import { describe, expect, it } from 'bun:test';
import { seededIntegers } from './random.ts';

describe('seededIntegers', () => {
  it('returns integers of splitmix32 below the bound', () => {
    // The same algorithm with BigInt, truncated to 32 bits where the definition requires it.
    const cut = (value: bigint): bigint => value & 0xffff_ffffn;
    const seed = 0x5eed_0b0e;
    const next = seededIntegers(seed);
    let state = BigInt(seed);
    for (let draw = 0; draw < 50; draw++) {
      state = cut(state + 0x9e37_79b9n);
      let mixed = cut((state ^ (state >> 16n)) * 0x21f0_aaadn);
      mixed = cut((mixed ^ (mixed >> 15n)) * 0x735a_2d97n);
      mixed ^= mixed >> 15n;
      expect(next(1_000)).toBe(Number((mixed * 1_000n) >> 32n));
    }
  });
});
