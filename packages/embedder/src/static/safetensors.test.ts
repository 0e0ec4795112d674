import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { halfToNumber, headerLength, readHeader, tensorValues } from './safetensors.ts';

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const entry = { dtype: 'F32', shape: [2, 3], data_offsets: [0, 24] };

function fileStart(length: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, length, true);
  return bytes;
}

describe('headerLength', () => {
  it('reads 64 little-endian bits and rejects a length beyond the file', () => {
    expect(headerLength(fileStart(80n), 200)).toBe(80);
    expect(headerLength(fileStart(192n), 200)).toBe(192);
    expect(() => headerLength(fileStart(193n), 200)).toThrow(RangeError);
    expect(() => headerLength(fileStart(2n ** 64n - 1n), 200)).toThrow(
      'length of 1844674407370955',
    );
    expect(headerLength(fileStart(100_000_000n), 2 ** 40)).toBe(100_000_000);
    expect(() => headerLength(fileStart(100_000_001n), 2 ** 40)).toThrow(RangeError);
    expect(() => headerLength(new Uint8Array(7), 7)).toThrow('received 7 bytes');
  });
});

describe('readHeader', () => {
  it('returns type, shape and position of each tensor', () => {
    const header = bytesOf({ __metadata__: { format: 'pt' }, embeddings: entry });
    expect(readHeader(header, 8 + header.length + 24)).toEqual(
      new Map([
        [
          'embeddings',
          { type: 'F32', shape: [2, 3], start: 8 + header.length, end: 32 + header.length },
        ],
      ]),
    );
  });

  it('rejects a header that contradicts the file or itself', () => {
    const wrong: [string, object][] = [
      ['inside the', { data_offsets: [0, 25], shape: [25], dtype: 'I8' }],
      ['inside the', { data_offsets: [24, 0] }],
      ['expected 24 bytes, received 20', { data_offsets: [0, 20] }],
      ['expected a shape', { shape: [2, -3] }],
      ['expected a shape', { shape: [2, 1.5] }],
      ['expected a shape', { shape: '6' }],
      ['expected a shape', { shape: [1e308, 1e308] }],
      ['expected two data_offsets', { data_offsets: [0] }],
      ['expected two data_offsets', { data_offsets: null }],
      ['bytes, received 24', { shape: [2 ** 52, 2 ** 52] }],
    ];
    for (const [message, change] of wrong) {
      const header = bytesOf({ embeddings: { ...entry, ...change } });
      expect(() => readHeader(header, 8 + header.length + 24)).toThrow(message);
    }
  });

  it('names the position of the data and the end of the file', () => {
    const header = bytesOf({ embeddings: entry });
    const [start, length] = [8 + header.length, 8 + header.length + 23];
    expect(() => readHeader(header, length)).toThrow(
      `tensor embeddings: expected data inside the ${length} bytes of the file, received ${start} to ${start + 24}`,
    );
    const later = bytesOf({ embeddings: { ...entry, data_offsets: [40, 64] } });
    const end = 8 + later.length + 64;
    expect(readHeader(later, end).get('embeddings')).toMatchObject({ start: end - 24, end });
    expect(() => readHeader(later, end - 1)).toThrow(`received ${end - 24} to ${end}`);
  });

  it('rejects a header that is not a JSON object or not UTF-8', () => {
    for (const value of [null, 1, 'x', []]) {
      expect(() => readHeader(bytesOf(value), 1_000)).toThrow('expected a header object');
    }
    expect(() => readHeader(new TextEncoder().encode('{"a":'), 1_000)).toThrow(SyntaxError);
    expect(() => readHeader(Uint8Array.of(0xff, 0xfe), 1_000)).toThrow(TypeError);
  });

  it('accepts __proto__ as a name and omits unknown types', () => {
    const header = new TextEncoder().encode(
      `{"__proto__":${JSON.stringify(entry)},"x":{"dtype":"constructor"},"y":null}`,
    );
    expect([...readHeader(header, 8 + header.length + 24).keys()]).toEqual(['__proto__']);
  });

  it('never returns a tensor outside the file for any header', () => {
    const number = fc.oneof(fc.nat(100), fc.integer(), fc.double());
    const hostile = fc.record({
      dtype: fc.constantFrom('F32', 'F16', 'I8', 'I64', 'BF16'),
      shape: fc.array(number, { maxLength: 3 }),
      data_offsets: fc.array(number, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(hostile, fc.nat(500), (value, fileLength) => {
        try {
          for (const { start, end } of readHeader(bytesOf({ x: value }), fileLength).values()) {
            expect(start).toBeLessThanOrEqual(end);
            expect(end).toBeLessThanOrEqual(fileLength);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});

describe('halfToNumber', () => {
  it('returns the values of the standard', () => {
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
  it('reads every type at an unaligned offset', () => {
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
      expect(Array.from(tensorValues(file, entry))).toEqual(expected[i]);
    });
  });

  it('reads from a Buffer that is part of a larger one', () => {
    const file = Buffer.from([9, 9, 9, 1, 2, 3]).subarray(2);
    const entry = { type: 'I8', shape: [3], start: 1, end: 4 } as const;
    expect(tensorValues(file, entry)).toEqual(Int8Array.of(1, 2, 3));
  });
});
