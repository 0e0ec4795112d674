import fc from 'fast-check';
import { importTraces } from '../../packages/importers/src/index.ts';
import { skippedArchives } from '../../packages/importers/test/skipped-archives.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import type { Mutation } from './mutations.ts';

/** Fields of a central directory entry by offset: APPNOTE.TXT 6.3.10, section 4.3.12. */
const ZIP_FIELDS = [
  ...[8, 10, 12, 16, 20, 24, 28, 30, 32, 34, 36, 38, 42].map((at) => ({ at, bytes: 2 })),
  ...[16, 20, 24, 42].map((at) => ({ at, bytes: 4 })),
];
const DIRECTORY_ENTRY = Buffer.from('PK\x01\x02', 'latin1');

const TAR_BLOCK = 512;
/** Size, type and checksum of a tar header: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html */
const TAR = { size: 124, checksum: 148, type: 156, magic: 257 } as const;

/**
 * Archives in which readers skip most files: images, sources, folders and nested archives. Readers that
 * stop early leave files unread or partly read.
 */
export const ARCHIVE_TARGET: FuzzTarget = {
  seeds: skippedArchives,
  mutation: fc.oneof(directoryChange(), headerChange()),
  run: async (bytes) => {
    const stopAfter = (bytes.at(-1) ?? 0) % 4;
    let items = 0;
    for await (const item of importTraces([bytes], { assumeSuccess: true })) {
      if (item.kind === 'error' && item.error.message === '') throw new Error('an empty message');
      if (++items === stopAfter) break;
    }
  },
};

/** Sets a field of a central directory entry, or copies it from another entry. */
function directoryChange(): fc.Arbitrary<Mutation> {
  return fc
    .record({
      file: fc.nat(),
      other: fc.nat(),
      field: fc.constantFrom(...ZIP_FIELDS),
      value: fc.oneof(fc.constant(undefined), fc.nat({ max: 2 ** 32 - 1 }), fc.constantFrom(0, 1)),
      all: fc.boolean(),
    })
    .map(({ file, other, field, value, all }): Mutation => {
      return (bytes) => {
        const changed = Buffer.from(bytes);
        const places = placesOf(changed, DIRECTORY_ENTRY);
        const source = places[other % Math.max(1, places.length)] ?? 0;
        const chosen = all ? places : places.slice(file % Math.max(1, places.length)).slice(0, 1);
        for (const place of chosen) {
          const from = source + field.at;
          if (Math.max(from, place + field.at) + field.bytes > changed.length) continue;
          const written = value ?? changed.readUIntLE(from, field.bytes);
          changed.writeUIntLE(written % 256 ** field.bytes, place + field.at, field.bytes);
        }
        return new Uint8Array(changed);
      };
    });
}

/** Changes the size or type of a file in a tar archive and updates its checksum. */
function headerChange(): fc.Arbitrary<Mutation> {
  return fc
    .record({
      file: fc.nat(),
      size: fc.oneof(fc.constantFrom(0, 1, 511, 513, 8 ** 11 - 1), fc.nat({ max: 600_000 })),
      type: fc.constantFrom(undefined, ...'0125xgLKS\0'),
    })
    .map(({ file, size, type }): Mutation => {
      return (bytes) => {
        const changed = Buffer.from(bytes);
        const magics = placesOf(changed, Buffer.from('ustar'));
        const start = (magics[file % Math.max(1, magics.length)] ?? -1) - TAR.magic;
        if (start < 0 || start + TAR_BLOCK > changed.length) return bytes;
        if (type === undefined) {
          changed.write(size.toString(8).padStart(11, '0'), start + TAR.size, 'latin1');
        } else changed.write(type, start + TAR.type, 'latin1');
        changed.fill(' ', start + TAR.checksum, start + TAR.checksum + 8);
        const header = changed.subarray(start, start + TAR_BLOCK);
        const sum = header.reduce((total, byte) => total + byte, 0);
        changed.write(`${sum.toString(8).padStart(6, '0')}\0`, start + TAR.checksum, 'latin1');
        return new Uint8Array(changed);
      };
    });
}

function placesOf(bytes: Buffer, signature: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(signature); at !== -1; at = bytes.indexOf(signature, at + 1)) {
    places.push(at);
  }
  return places;
}
