import { describe, expect, it } from 'bun:test';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import type { ByteSource } from '../bytes/byte-source.ts';
import { DamagedArchiveError } from '../errors.ts';
import { importTraces } from '../import-traces.ts';
import { readJsonValues } from '../json/read-json-values.ts';
import { gunzipIfNeeded } from './gunzip.ts';

async function text(source: ByteSource): Promise<string> {
  return Buffer.concat(await Array.fromAsync(gunzipIfNeeded(source))).toString();
}

const lines = Array.from({ length: 20_000 }, (_, i) => `{"a":${Math.sin(i)}}\n`).join('');

describe('gunzipIfNeeded', () => {
  it('passes anything that is not gzip through', async () => {
    expect(await text('{"a":1}')).toBe('{"a":1}');
    expect(await text('')).toBe('');
    expect(await text(Uint8Array.of(0x1f))).toBe('\x1f');
  });

  it('unpacks gzip, whether in one chunk or byte by byte', async () => {
    const packed = gzipSync('{"a":1}\n');
    expect(await text(packed)).toBe('{"a":1}\n');
    expect(await text(Array.from(packed, (byte) => Uint8Array.of(byte)))).toBe('{"a":1}\n');
  });

  it('unpacks several members as one', async () => {
    expect(await text([gzipSync('{"a":1}\n'), gzipSync('{"a":2}\n')])).toBe('{"a":1}\n{"a":2}\n');
  });

  it('delivers what comes before the damage, then says so', async () => {
    const packed = gzipSync(lines);
    const items = await Array.fromAsync(
      readJsonValues(gunzipIfNeeded(packed.subarray(0, packed.length >> 1))),
    );
    const last = items.at(-1);
    expect(items.length).toBeGreaterThan(5_000);
    expect(items.slice(0, -1).every((item) => 'value' in item)).toBe(true);
    expect(last).toMatchObject({ line: items.length, error: { code: 'DAMAGED_ARCHIVE' } });
  });

  it('delivers every line that a cut leaves whole', async () => {
    const packed = gzipSync(lines);
    for (const share of [0.1, 0.7, 0.999]) {
      const cut = packed.subarray(0, Math.floor(packed.length * share));
      const whole = gunzipSync(cut, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
      const items = await Array.fromAsync(readJsonValues(gunzipIfNeeded(cut)));
      expect(items.filter((item) => 'value' in item)).toHaveLength(whole.split('\n').length - 1);
    }
  });

  it('loses nothing of the data to bytes behind it, and says that there are some', async () => {
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

  it('can be left while its source has nothing more to say', async () => {
    const packed = gzipSync(lines);
    async function* live(): AsyncGenerator<Uint8Array> {
      yield packed.subarray(0, packed.length >> 1);
      await new Promise(() => undefined);
    }
    const left = (async () => {
      for await (const item of importTraces(live())) {
        if (item.line >= 0) break;
      }
    })();
    expect(await Promise.race([left.then(() => 'left'), Bun.sleep(2000)])).toBe('left');
  });

  it('refuses a wrong checksum', async () => {
    const packed = gzipSync(lines);
    packed[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 0xff;
    await expect(text(packed)).rejects.toThrow(DamagedArchiveError);
  });

  it('passes an error of the source on as it is', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield gzipSync(lines).subarray(0, 1000);
      throw new Error('disk on fire');
    }
    await expect(text(failing())).rejects.toThrow('disk on fire');
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
