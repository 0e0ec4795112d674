import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { createRandom } from '../test/random.ts';
import { VectorCache } from './index.ts';
import { crc32, portableCrc32 } from './snapshot.ts';

function small(): VectorCache {
  let time = 100;
  const cache = new VectorCache({
    dimensions: 2,
    maxElements: 5,
    ttlMs: 1000,
    embedderId: 'test',
    now: () => time++,
  });
  cache.add([3, 4], 'first');
  cache.add([-1, 0]);
  cache.add([0, 0], 'zero \ud800');
  return cache;
}

describe('crc32', () => {
  it.each([crc32, portableCrc32])('is 0xcbf43926 for "123456789", the published value', (crc) => {
    expect(crc(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    expect(crc(new Uint8Array())).toBe(0);
  });

  it('is the same from the platform and from our tables', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100, size: 'max' }), (bytes) => {
        expect(portableCrc32(bytes)).toBe(crc32(bytes));
      }),
    );
  });
});

describe('VectorCache snapshots', () => {
  it('restore vectors, keys, ages and options', () => {
    const bytes = small().toBytes();
    const loaded = VectorCache.fromBytes(bytes, { now: () => 5000 });
    expect(loaded).toMatchObject({ size: 3, dimensions: 2, maxElements: 5, embedderId: 'test' });
    // The clock showed 100, 101 and 102 when entries were added, and 103 at the snapshot.
    expect(loaded.search([3, 4], 3)).toEqual([
      { key: 'first', similarity: 1, addedAt: 4997 },
      { key: 'zero \ud800', similarity: 0, addedAt: 4999 },
      { key: undefined, similarity: expect.closeTo(-0.6, 6), addedAt: 4998 },
    ]);
  });

  it('have the same bytes after loading', () => {
    const bytes = small().toBytes();
    expect(VectorCache.fromBytes(bytes, { now: () => 9 }).toBytes()).toEqual(bytes);
  });

  it('are read from part of a buffer at any offset, and from a Node Buffer', () => {
    const bytes = small().toBytes();
    for (const offset of [1, 2, 3, 4, 8]) {
      const within = new Uint8Array(bytes.length + 20);
      within.set(bytes, offset);
      const part = within.subarray(offset, offset + bytes.length);
      expect(VectorCache.fromBytes(part, { now: () => 9 }).toBytes()).toEqual(bytes);
    }
    expect(VectorCache.fromBytes(Buffer.from(bytes), { now: () => 9 }).toBytes()).toEqual(bytes);
  });

  it('of an earlier version without alignment are read', () => {
    const written =
      'S1BWQ0FDSEUBAAAAN84eY2AAAAB7ImNvdW50IjoyLCJkaW1lbnNpb25zIjoyLCJtYXhFbGVtZW50cyI6NSwidHRsTXMi' +
      'Om51bGwsImVtYmVkZGVySWQiOiJvbGQiLCJrZXlzIjpbImZpcnN0IixudWxsXX0AAAAAAAAAQAAAAAAAAPA/mpkZP83M' +
      'TD8AAIC/AAAAAA==';
    const old = VectorCache.fromBytes(Buffer.from(written, 'base64'));
    expect([...old.entries()].map((entry) => entry.key)).toEqual(['first', undefined]);
  });

  it('return the same results for any contents', () => {
    const vectors = fc.array(
      fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), {
        minLength: 5,
        maxLength: 5,
      }),
    );
    fc.assert(
      fc.property(vectors, (contents) => {
        const cache = new VectorCache({ dimensions: 5, maxElements: 7, now: () => 0 });
        for (const [index, vector] of contents.entries()) cache.add(vector, `${index}`);
        const loaded = VectorCache.fromBytes(cache.toBytes(), { now: () => 0 });
        expect(loaded.search([1, 2, 3, 4, 5], 9)).toEqual(cache.search([1, 2, 3, 4, 5], 9));
      }),
    );
  });

  it('are identical in all engines', () => {
    const cache = new VectorCache({ dimensions: 70, maxElements: 150, now: () => 0 });
    const random = createRandom(5);
    for (let index = 0; index < 400; index++) {
      cache.add(
        Array.from({ length: 70 }, () => random() - 0.5),
        `${index}`,
      );
    }
    const bytes = cache.toBytes();
    const query = Array.from({ length: 70 }, () => random() - 0.5);
    for (const options of [
      { engine: 'typescript' },
      { engine: 'wasm-simd' },
      { engine: 'wasm-simd', flat: true },
    ] as const) {
      const loaded = VectorCache.fromBytes(bytes, { ...options, now: () => 0 });
      expect(loaded.engine).toBe(options.engine);
      expect(loaded.toBytes()).toEqual(bytes);
      expect(loaded.search(query, 150)).toEqual(cache.search(query, 150));
    }
  });

  it('let entries grow older by elapsedMs, and expire', () => {
    const options = { now: () => 0, elapsedMs: 997 };
    expect(VectorCache.fromBytes(small().toBytes(), options).size).toBe(2);
  });

  it('keep the newest entries if fewer are allowed', () => {
    const loaded = VectorCache.fromBytes(small().toBytes(), { maxElements: 2, now: () => 0 });
    expect(loaded.search([1, 0], 9).map((found) => found.key)).toEqual(['zero \ud800', undefined]);
  });

  it('are rejected if dimensions or embedder differ from the requested ones', () => {
    const bytes = small().toBytes();
    expect(() => VectorCache.fromBytes(bytes, { dimensions: 3 })).toThrow(
      'snapshot dimensions: expected 3, received 2',
    );
    expect(() => VectorCache.fromBytes(bytes, { embedderId: 'other' })).toThrow(
      'snapshot embedderId: expected "other", received "test"',
    );
    expect(VectorCache.fromBytes(bytes, { dimensions: 2, embedderId: 'test' }).dimensions).toBe(2);
  });

  it('are rejected after any change of a single byte', () => {
    const bytes = small().toBytes();
    for (let index = 0; index < bytes.length; index++) {
      const original = bytes[index];
      for (let change = 1; change < 256; change++) {
        bytes[index] = original ^ change;
        expect(() => VectorCache.fromBytes(bytes)).toThrow('snapshot ');
      }
      bytes[index] = original;
    }
    expect(VectorCache.fromBytes(bytes).dimensions).toBe(2);
  });

  it('are rejected if truncated or followed by other bytes', () => {
    const bytes = small().toBytes();
    for (let length = 0; length < bytes.length; length++) {
      expect(() => VectorCache.fromBytes(bytes.slice(0, length))).toThrow('snapshot ');
    }
    const longer = new Uint8Array(bytes.length + 1);
    longer.set(bytes);
    expect(() => VectorCache.fromBytes(longer)).toThrow('snapshot ');
  });

  it('are rejected if well-formed but impossible for a cache', () => {
    const forged = forge((text) => text.replace('"count":3', '"count":2'));
    expect(() => VectorCache.fromBytes(forged)).toThrow('snapshot bytes: expected ');
    for (const count of ['"3"', '[3]']) {
      const named = forge((text) => text.replace('"count":3', `"count":${count}`));
      expect(() => VectorCache.fromBytes(named)).toThrow(
        `snapshot count: expected 3, received ${count}`,
      );
    }
    for (const [keys, received] of [
      ['["a",null]', '2'],
      ['["a",null,7]', '"other values"'],
      ['7', '"other values"'],
    ]) {
      const other = forge((text) => text.replace(/"keys":\[.*\]/, `"keys":${keys}`));
      expect(() => VectorCache.fromBytes(other)).toThrow(
        `snapshot keys: expected 3, received ${received}`,
      );
    }
    const options = forge((text) => text.replace('"dimensions":2', '"dimensions":0'));
    expect(() => VectorCache.fromBytes(options)).toThrow('snapshot metadata: expected the options');
    const vector = small().toBytes();
    new DataView(vector.buffer).setFloat32(vector.length - 4, 0.5, true);
    expect(() => VectorCache.fromBytes(seal(vector))).toThrow(
      'snapshot vector[2]: expected length 1 or 0, received 0.5',
    );
  });

  it('are rejected with impossible ages', () => {
    const withAges = (...ages: number[]): Uint8Array => {
      const bytes = small().toBytes();
      const view = new DataView(bytes.buffer);
      const offset = 20 + view.getUint32(16, true);
      for (const [index, age] of ages.entries()) view.setFloat64(offset + 8 * index, age, true);
      return seal(bytes);
    };
    for (const [ages, wrong] of [
      [[3, 2, -1], 'age[2]: expected finite, at least 0, oldest first, received -1'],
      [[3, 4, 1], 'age[1]: expected finite, at least 0, oldest first, received 4'],
      [[Infinity, 2, 1], 'age[0]: expected finite, at least 0, oldest first, received Infinity'],
      [[3, Number.NaN, 1], 'age[1]: expected finite, at least 0, oldest first, received NaN'],
    ] as const) {
      expect(() => VectorCache.fromBytes(withAges(...ages))).toThrow(`snapshot ${wrong}`);
    }
    expect(VectorCache.fromBytes(withAges(2, 2, 0), { now: () => 0 }).size).toBe(3);
  });

  it.each([
    [-1, 'elapsedMs: expected finite milliseconds from 0, received -1'],
    [Infinity, 'elapsedMs: expected finite milliseconds from 0, received Infinity'],
    [Number.NaN, 'elapsedMs: expected finite milliseconds from 0, received NaN'],
    ['5', 'elapsedMs: expected a number, received "5"'],
  ])('reject %p ms as elapsedMs', (elapsedMs, message) => {
    const bytes = small().toBytes();
    expect(() => VectorCache.fromBytes(bytes, { elapsedMs: elapsedMs as number })).toThrow(message);
  });

  it('describe the problem with foreign bytes', () => {
    expect(() => VectorCache.fromBytes(new Uint8Array(5))).toThrow(
      'snapshot bytes: expected 20, received 5',
    );
    expect(() => VectorCache.fromBytes(new Uint8Array(20))).toThrow(
      `snapshot magic bytes: expected "KPVCACHE", received "${'\\u0000'.repeat(8)}"`,
    );
    expect(() => VectorCache.fromBytes('x' as unknown as Uint8Array)).toThrow(
      'bytes: expected a Uint8Array, received "x"',
    );
  });
});

/** A small snapshot with edited metadata and a matching checksum. */
function forge(edit: (metadata: string) => string): Uint8Array {
  const bytes = small().toBytes();
  const numbers = 20 + new DataView(bytes.buffer).getUint32(16, true);
  const metadata = edit(new TextDecoder().decode(bytes.subarray(20, numbers)).trimEnd());
  const forged = Buffer.concat([
    bytes.subarray(0, 20),
    Buffer.from(metadata),
    bytes.subarray(numbers),
  ]);
  forged.writeUInt32LE(Buffer.byteLength(metadata), 16);
  return seal(forged);
}

function seal(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint32(12, crc32(bytes.subarray(16)), true);
  return bytes;
}
