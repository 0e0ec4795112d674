import { describe, expect, it } from 'bun:test';
import { halfToNumber, tensorValues } from './tensor-values.ts';

describe('halfToNumber', () => {
  it('gives the values of the standard', () => {
    // https://en.wikipedia.org/wiki/Half-precision_floating-point_format, table of examples
    const examples: [number, number][] = [
      [0x0000, 0],
      [0x0001, 2 ** -24],
      [0x03ff, 1_023 * 2 ** -24],
      [0x0400, 2 ** -14],
      [0x3555, 0.333251953125],
      [0x3c00, 1],
      [0x3c01, 1.0009765625],
      [0x7bff, 65_504],
      [0x7c00, Number.POSITIVE_INFINITY],
      [0xc000, -2],
      [0xfc00, Number.NEGATIVE_INFINITY],
    ];
    for (const [bits, value] of examples) expect(halfToNumber(bits)).toBe(value);
    expect(halfToNumber(0x7e00)).toBeNaN();
    expect(Object.is(halfToNumber(0x8000), -0)).toBe(true);
  });
});

describe('tensorValues', () => {
  it('reads every type from an odd place in the file', () => {
    const cases = [
      ['F32', Float32Array.of(1.5, -2)],
      ['F64', Float64Array.of(0.1, 3)],
      ['I8', Int8Array.of(-128, 127)],
      ['I32', Int32Array.of(-7, 2 ** 30)],
      ['I64', BigInt64Array.of(5n, -6n)],
      ['F16', Uint16Array.of(0x3c00, 0xc000)],
    ] as const;
    const expected = [
      [1.5, -2],
      [0.1, 3],
      [-128, 127],
      [-7, 2 ** 30],
      [5, -6],
      [1, -2],
    ];
    cases.forEach(([type, values], i) => {
      const file = new Uint8Array(3 + values.byteLength);
      file.set(new Uint8Array(values.buffer), 3);
      const entry = { type, shape: [2], start: 3, end: file.length };
      expect(Array.from(tensorValues(file, entry))).toEqual(expected[i] as number[]);
    });
  });

  it('reads from a Buffer that is part of a larger one', () => {
    const file = Buffer.from([9, 9, 9, 1, 2, 3]).subarray(2);
    const entry = { type: 'I8', shape: [3], start: 1, end: 4 } as const;
    expect(tensorValues(file, entry)).toEqual(Int8Array.of(1, 2, 3));
  });
});
