import { describe, expect, it } from 'bun:test';
import { vectorArray } from './vector-array.ts';

/** The header with the number of elements, and each element after its length. */
const bytesOf = (hasNull: boolean, amount: number, ...elements: string[]): string =>
  ['00000001', hasNull ? '00000001' : '00000000', '00004001', `0000000${amount}`, '00000001']
    .concat(elements)
    .join('');
const hex = (vectors: readonly (Float32Array | undefined)[]): string =>
  vectorArray(vectors, 16_385).toString('hex');

describe('vectorArray', () => {
  it('is the binary format of Postgres, written by hand', () => {
    const one = ['00000008', '0001', '0000', '3f800000'];
    const two = ['0000000c', '0002', '0000', 'bf800000', '40000000'];
    expect(hex([Float32Array.of(1), undefined])).toBe(bytesOf(true, 2, ...one, 'ffffffff'));
    expect(hex([undefined, Float32Array.of(-1, 2)])).toBe(bytesOf(true, 2, 'ffffffff', ...two));
    expect(hex([Float32Array.of(1), Float32Array.of(-1, 2)])).toBe(
      bytesOf(false, 2, ...one, ...two),
    );
    expect(hex([])).toBe(bytesOf(false, 0));
  });

  it('does not change the vectors', () => {
    const vector = Float32Array.of(1, -2);
    hex([vector]);
    expect(vector).toEqual(Float32Array.of(1, -2));
  });
});
