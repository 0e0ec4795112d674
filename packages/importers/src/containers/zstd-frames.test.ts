import { describe, expect, it } from 'bun:test';
import { followZstd } from './zstd-frames.ts';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** The last block: one byte, repeated three times. */
const BLOCK = [(3 << 3) | 2 | 1, 0, 0, 0x61];

/** A frame with a window of `2 ** exponent` bytes. */
const frame = (exponent: number): Uint8Array =>
  Uint8Array.of(...MAGIC, 0, (exponent - 10) << 3, ...BLOCK);

describe('followZstd', () => {
  it.each([
    // The fields announced by the descriptor precede the blocks: RFC 8878, section 3.1.1.1.
    ['a window', 0, 1],
    ['and one byte of a dictionary id', 1, 2],
    ['and two', 2, 3],
    ['and four', 3, 5],
    ['a length in one byte alone', 0x20, 1],
    ['a window, and a length in two bytes', 0x40, 3],
    ['and also one byte of a dictionary id', 0x41, 4],
    ['a window, and a length in four bytes', 0x80, 5],
    ['and in eight', 0xc0, 9],
    ['a length in two bytes alone, and four of a dictionary', 0x63, 6],
  ])('finds the end of a frame with %s', (_name, descriptor, more) => {
    const bytes = [...MAGIC, descriptor, ...Array<number>(more).fill(0), ...BLOCK];
    for (const checksum of [0, 4]) {
      const all = [...bytes, ...Array<number>(checksum).fill(7)];
      all[4] = descriptor | checksum;
      const follower = followZstd(false);
      expect(follower.isAtEnd).toBe(true);
      expect(follower.read(Uint8Array.from(all.slice(0, -1)))).toBe(all.length - 1);
      expect(follower.isAtEnd).toBe(false);
      expect(follower.read(Uint8Array.from([...all.slice(-1), ...MAGIC]))).toBe(1);
      expect(follower.isAtEnd).toBe(true);
    }
  });

  it('accepts 2,000 frames of any size and one more per 1,024 bytes', () => {
    for (const unpacked of [1023, 1024]) {
      const follower = followZstd(false);
      for (let count = 0; count < 2000; count++) follower.read(frame(10));
      follower.unpacked(unpacked);
      const more = () => follower.read(frame(10));
      if (unpacked === 1024) expect(more()).toBe(frame(10).length);
      else expect(more).toThrow('received too many; unpack it first if you trust it');
    }
  });

  it('lets fzstd move exactly up to 4 GB', () => {
    // A single-segment frame: its length, and blocks that move the same number of bytes each.
    const move = (times: number, length: number): number => {
      const size = [0, 8, 16, 24].map((shift) => (length >> shift) & 255);
      const others = Array(times - 17).fill([(3 << 3) | 2, 0, 0, 0x61]);
      return followZstd(true).read(
        Uint8Array.of(...MAGIC, 0xa0, ...size, ...others.flat(), ...BLOCK),
      );
    };
    expect(move(32, 2 ** 27)).toBe(9 + 16 * BLOCK.length);
    // Two factors of 2^32 + 1 (Euler).
    expect(() => move(641, 6_700_417)).toThrow('received too many');
  });

  it('lets fzstd move 4 GB of windows plus 128 bytes per decompressed byte', () => {
    // A frame with one block allocates its window, which counts 16 times, and moves it once. Two
    // frames move 34 · 2^27 bytes, which exceeds the limit by 2^28 and so requires 2^21
    // decompressed bytes.
    for (const unpacked of [2 ** 21 - 1, 2 ** 21]) {
      const follower = followZstd(true);
      follower.read(frame(27));
      follower.unpacked(unpacked);
      const more = () => follower.read(frame(27));
      if (unpacked === 2 ** 21) expect(more()).toBe(frame(27).length);
      else expect(more).toThrow('received too many; unpack it first if you trust it');
    }
  });

  it('accepts windows up to 128 MB in steps of an eighth', () => {
    const eighth = Uint8Array.of(...MAGIC, 0, ((27 - 10) << 3) | 1, ...BLOCK);
    expect(followZstd(false).read(frame(27))).toBe(frame(27).length);
    expect(() => followZstd(false).read(eighth)).toThrow(
      'a window of at most 134217728 bytes, received one of 150994944',
    );
  });
});
