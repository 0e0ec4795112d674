import { describe, expect, it } from 'bun:test';
import { createBlockCheck } from './zstd-blocks.ts';

const PREDEFINED = 0;

type Field = readonly [value: number, width: number];

/** Writes bits in reading order; the bytes store them from the end. */
function bitstream(...fields: readonly Field[]): number[] {
  const bits = `1${fields.map(([value, width]) => value.toString(2).padStart(width, '0')).join('')}`;
  const bytes = bits.padStart(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  return bytes.map((byte) => Number.parseInt(byte, 2)).reverse();
}

/**
 * Creates a block with this number of equal literals and one sequence with the predefined tables.
 */
function block(literals: number, ...fields: readonly Field[]): Uint8Array {
  const header = literals * 16 + 3 * 4 + 1;
  const size = [header & 255, (header >> 8) & 255, header >> 16];
  return Uint8Array.of(...size, 0x61, 1, PREDEFINED, ...bitstream(...fields));
}

// The meaning of the states is listed in RFC 8878, appendix A.
describe('a block with the predefined tables', () => {
  const accepts = (bytes: Uint8Array): void => createBlockCheck()(bytes);
  const refuses = (bytes: Uint8Array): void => {
    expect(() => createBlockCheck()(bytes)).toThrow('received damaged data');
  };

  it('copies exactly the available literals', () => {
    // States 2, 3 and 60 mean 1, 3, and 65,536 plus 16 bits.
    const offset = [0, 5] as const;
    const match = [0, 6] as const;
    accepts(block(1, [2, 6], offset, match));
    refuses(block(0, [2, 6], offset, match));
    accepts(block(3, [3, 6], offset, match));
    refuses(block(2, [3, 6], offset, match));
    accepts(block(65_543, [60, 6], offset, match, [7, 16]));
    refuses(block(65_542, [60, 6], offset, match, [7, 16]));
  });

  it('decompresses to at most 131,072 bytes', () => {
    // State 57 means 65,539 plus 16 bits; with the literal before it, the block has 131,072 or
    // 131,073 bytes.
    accepts(block(1, [2, 6], [0, 5], [57, 6], [65_532, 16]));
    refuses(block(1, [2, 6], [0, 5], [57, 6], [65_533, 16]));
  });

  it('skips the bits of an offset', () => {
    // State 1 has 6 extra bits.
    accepts(block(1, [2, 6], [1, 5], [57, 6], [0, 6], [65_532, 16]));
    refuses(block(1, [2, 6], [1, 5], [57, 6], [0, 6], [65_533, 16]));
  });

  it('contains all bits that its sequences require', () => {
    accepts(block(1, [2, 6], [0, 5], [0, 6]));
    refuses(block(1, [2, 6], [0, 5], [0, 5]));
    refuses(block(1));
  });
});
