import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { DamagedArchiveError } from '../errors/errors.ts';
import { importTraces } from '../import/import-traces.ts';
import { readJsonValues } from '../json-stream/read-json-values.ts';
import type { ByteSource } from './byte-source.ts';
import { gunzipIfNeeded } from './gunzip.ts';

async function text(source: ByteSource): Promise<string> {
  return Buffer.concat(await Array.fromAsync(gunzipIfNeeded(source))).toString();
}

const lines = Array.from({ length: 20_000 }, (_, i) => `{"a":${Math.sin(i)}}\n`).join('');

describe('gunzipIfNeeded', () => {
  it('passes data through unchanged unless it is gzip', async () => {
    expect(await text('{"a":1}')).toBe('{"a":1}');
    expect(await text('')).toBe('');
    expect(await text(Uint8Array.of(0x1f))).toBe('\x1f');
  });

  it('decompresses gzip in one chunk or byte by byte', async () => {
    const packed = gzipSync('{"a":1}\n');
    expect(await text(packed)).toBe('{"a":1}\n');
    expect(await text(Array.from(packed, (byte) => Uint8Array.of(byte)))).toBe('{"a":1}\n');
  });

  it('decompresses several members as one stream', async () => {
    expect(await text([gzipSync('{"a":1}\n'), gzipSync('{"a":2}\n')])).toBe('{"a":1}\n{"a":2}\n');
  });

  it('yields the data before damage and then throws', async () => {
    const packed = gzipSync(lines);
    const items = await Array.fromAsync(
      readJsonValues(gunzipIfNeeded(packed.subarray(0, packed.length >> 1))),
    );
    const last = items.at(-1);
    expect(items.length).toBeGreaterThan(5_000);
    expect(items.slice(0, -1).every((item) => 'value' in item)).toBe(true);
    expect(last).toMatchObject({ line: items.length, error: { code: 'DAMAGED_ARCHIVE' } });
  });

  it('yields all complete lines of truncated data', async () => {
    const packed = gzipSync(lines);
    for (const share of [0.1, 0.7, 0.999]) {
      const cut = packed.subarray(0, Math.floor(packed.length * share));
      const whole = gunzipSync(cut, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
      const items = await Array.fromAsync(readJsonValues(gunzipIfNeeded(cut)));
      expect(items.filter((item) => 'value' in item)).toHaveLength(whole.split('\n').length - 1);
    }
  });

  it('yields all data and reports trailing bytes', async () => {
    for (const value of ['{"a":1}\n{"a":2}', lines]) {
      const items = await Array.fromAsync(
        readJsonValues(gunzipIfNeeded([gzipSync(value), Buffer.from('garbage')])),
      );
      expect(items.filter((item) => 'value' in item)).toHaveLength(value.trim().split('\n').length);
      expect(items.at(-1)).toMatchObject({
        error: {
          message: expect.stringContaining(
            'expected the end of the gzip data, received other bytes; the data before them was read',
          ),
        },
      });
    }
    expect(await text([gzipSync('{"a":1}'), Buffer.alloc(1024)])).toBe('{"a":1}');
  });

  it('reads headers with a name, a comment, extra fields and a checksum', async () => {
    const packed = gzipSync('{"a":1}');
    const more = [3, 0, 1, 2, 3, ...Buffer.from('runs.json\0ours\0'), 9, 9];
    const header = [0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, ...more];
    expect(await text([Uint8Array.from(header), packed.subarray(10)])).toBe('{"a":1}');
  });

  it.each([
    ['extra fields', 0x04, [2, 1, ...Array(258).fill(0x41)]],
    ['a name', 0x08, [0x41, 0]],
    ['a comment', 0x10, [0x41, 0]],
    ['a checksum', 0x02, [0x41, 0x41]],
    ['none of them', 0, []],
    ['a word that it is text', 0x01, []],
  ] as const)('reads a header that only has %s', async (_name, flag, more) => {
    const header = [0x1f, 0x8b, 8, flag, 0, 0, 0, 0, 0, 3, ...more];
    expect(await text([Uint8Array.from(header), gzipSync('x').subarray(10)])).toBe('x');
  });

  it.each([
    [[0x1f, 0x8b, 7, 0, 0, 0, 0, 0, 0, 3], 'damaged data (compression method 7)'],
    [[0x1f, 0x8b, 8, 0], 'the end of the input'],
    [[...gzipSync('x').subarray(0, 10), 7, 7], 'damaged data ('],
    [[...gzipSync('x').subarray(0, -1)], 'the end of the input'],
    [[...gzipSync('x').subarray(0, -1), 1], 'damaged data (a wrong checksum)'],
    [[...gzipSync('x').subarray(0, -4), 2, 0, 0, 0], 'damaged data (a wrong checksum)'],
  ])('describes the damage in %j', async (bytes, received) => {
    await expect(text(Uint8Array.from(bytes))).rejects.toThrow(
      `input: expected gzip data up to its end, received ${received}`,
    );
  });

  it('ignores trailing zeros for any chunk boundaries', async () => {
    const member = gzipSync('x');
    expect(await text([member, new Uint8Array(3), new Uint8Array(2)])).toBe('x');
    expect(await text([member, member])).toBe('xx');
    expect(await text([member, new Uint8Array(2), member])).toBe('xx');
    expect(await text(Buffer.concat([member, new Uint8Array(2), member]))).toBe('xx');
    await expect(text([member, Uint8Array.of(0x1f)])).rejects.toMatchObject({ isComplete: true });
    await expect(text([member, member.subarray(0, 5)])).rejects.toMatchObject({
      isComplete: false,
    });
  });

  it('decompresses 2,000 members of any size, and more if each yields at least 1,024 bytes', async () => {
    const members = (count: number, length: number): Uint8Array[] =>
      Array<Uint8Array>(count).fill(gzipSync('x'.repeat(length)));
    expect(await text(members(2000, 0))).toBe('');
    await expect(text(members(2001, 0))).rejects.toThrow(
      'expected at most 2000 gzip members and one for each 1024 bytes, received more',
    );
    expect(await text([...members(1, 1024), ...members(2000, 0)])).toHaveLength(1024);
    await expect(text([...members(1, 1023), ...members(2000, 0)])).rejects.toThrow('received more');
  });

  it('can be cancelled while its source is pending', async () => {
    const packed = gzipSync(lines);
    async function* live(): AsyncGenerator<Uint8Array> {
      yield packed.subarray(0, packed.length >> 1);
      await new Promise(() => undefined);
    }
    let line = -1;
    for await (const item of importTraces(live())) {
      ({ line } = item);
      break;
    }
    expect(line).toBeGreaterThanOrEqual(0);
  });

  it('rejects a wrong checksum', async () => {
    const packed = gzipSync(lines);
    packed[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 0xff;
    await expect(text(packed)).rejects.toThrow(DamagedArchiveError);
  });

  it('passes an error of the source on unchanged', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield gzipSync(lines).subarray(0, 1000);
      throw new Error('disk on fire');
    }
    await expect(text(failing())).rejects.toThrow('disk on fire');
  });

  describe('without node:zlib', () => {
    const { getBuiltinModule } = process;
    beforeAll(() => {
      process.getBuiltinModule = (() => undefined) as unknown as typeof getBuiltinModule;
    });
    afterAll(() => {
      process.getBuiltinModule = getBuiltinModule;
    });

    it('decompresses with the platform API for any chunk sizes', async () => {
      const packed = gzipSync('{"a":1}\n');
      expect(await text(packed)).toBe('{"a":1}\n');
      expect(await text(Array.from(packed, (byte) => Uint8Array.of(byte)))).toBe('{"a":1}\n');
    });

    it('rejects damaged data and passes errors of the source on unchanged', async () => {
      const packed = gzipSync(lines);
      await expect(text(packed.fill(7, 100, 200))).rejects.toThrow(DamagedArchiveError);
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield gzipSync(lines).subarray(0, 1000);
        throw new RangeError('disk on fire');
      }
      await expect(text(failing())).rejects.toThrow(RangeError);
    });

    it('releases its source if the reader stops early', async () => {
      let letGo: () => void = () => undefined;
      const closed = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      async function* source(): AsyncGenerator<Uint8Array> {
        try {
          const packed = gzipSync(lines);
          for (let at = 0; ; at = (at + 1000) % packed.length) yield packed.subarray(at, at + 1000);
        } finally {
          letGo();
        }
      }
      for await (const _chunk of gunzipIfNeeded(source())) break;
      await expect(closed).resolves.toBeUndefined();
    });
  });

  it('closes its source when the reader stops early', async () => {
    let closed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        const packed = gzipSync(lines);
        for (let at = 0; at < packed.length; at += 1000) yield packed.subarray(at, at + 1000);
      } finally {
        closed = true;
      }
    }
    for await (const _chunk of gunzipIfNeeded(source())) break;
    expect(closed).toBe(true);
  });
});
