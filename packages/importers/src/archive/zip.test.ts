import { describe, expect, it } from 'bun:test';
import { crc32 as nodeCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { writeZip } from '../../test/zip.ts';
import { toByteChunks } from '../bytes/byte-source.ts';
import { DamagedArchiveError } from '../errors.ts';
import { crc32, readZipEntries, unpackZipEntry } from './zip.ts';

async function unzip(source: Uint8Array[], limit = 1e6): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const entry of readZipEntries(toByteChunks(source), limit)) {
    files[entry.name] = new TextDecoder().decode(await unpackZipEntry(entry, limit));
  }
  return files;
}

function inPieces(bytes: Uint8Array, length: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / length);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * length, (i + 1) * length));
}

const FILES = { 'a.json': '{"a":1}', 'empty.json': '', 'b/c.json': 'x'.repeat(5000) };

describe('crc32', () => {
  it('is cbf43926 for 123456789, the check value of the standard', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });

  it('agrees with zlib', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => crc32(bytes) === nodeCrc32(bytes)));
  });
});

describe('readZipEntries', () => {
  it.each([{}, { stored: true }, { descriptor: true }, { stored: true, descriptor: true }])(
    'gives back what was packed, however it was and wherever it is cut: %j',
    async (style) => {
      const bytes = writeZip(FILES, style);
      for (const length of [1, 7, 100, bytes.length]) {
        expect(await unzip(inPieces(bytes, length))).toEqual(FILES);
      }
    },
  );

  it('gives back nothing for an archive of nothing', async () => {
    expect(await unzip([writeZip({})])).toEqual({});
  });

  it('refuses an archive that is cut off anywhere before the end of its directory', async () => {
    for (const style of [{}, { descriptor: true }]) {
      const bytes = writeZip(FILES, style);
      for (let length = 0; length < bytes.length - 22; length++) {
        await expect(unzip([bytes.subarray(0, length)])).rejects.toBeInstanceOf(
          DamagedArchiveError,
        );
      }
    }
  });

  it('gives no wrong content when any byte is changed', async () => {
    const bytes = writeZip(FILES);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const damaged = bytes.slice();
          damaged[at] = (damaged[at] as number) ^ flip;
          const files = await unzip([damaged]).catch((error: unknown) => error);
          if (!(files instanceof DamagedArchiveError)) expect(files).toEqual(FILES);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('refuses entries over the limit, packed or unpacked', async () => {
    await expect(unzip([writeZip(FILES, { stored: true })], 1000)).rejects.toThrow(
      'input: expected b/c.json of at most 1000 bytes, received 5000 or more',
    );
    await expect(unzip([writeZip(FILES)], 1000)).rejects.toThrow('at most 1000 bytes');
    await expect(
      unzip([writeZip(FILES, { stored: true, descriptor: true })], 1000),
    ).rejects.toThrow('at most 1000 bytes');
  });

  it('names a way of packing that it does not know', async () => {
    const bytes = writeZip({ 'a.json': '{}' });
    bytes[8] = 93;
    await expect(unzip([bytes])).rejects.toThrow(
      'a.json stored or deflated, received compression method 93',
    );
  });

  it('reads a length that only the field for large archives has', async () => {
    const plain = writeZip({ a: 'hello' }, { stored: true });
    const field = Buffer.alloc(20);
    field.writeUInt16LE(1, 0);
    field.writeUInt16LE(16, 2);
    field.writeBigUInt64LE(5n, 4);
    field.writeBigUInt64LE(5n, 12);
    const header = plain.slice(0, 31);
    header.fill(0xff, 18, 26);
    header[28] = 20;
    const bytes = Buffer.concat([header, field, plain.subarray(31)]);
    expect(await unzip([new Uint8Array(bytes)])).toEqual({ a: 'hello' });
  });
});
