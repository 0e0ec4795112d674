import { ByteCursor, concatenate } from '../bytes/byte-source.ts';
import { DamagedArchiveError } from '../errors.ts';

const TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, index) => {
  let remainder = index;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  }
  return remainder;
});

/**
 * The CRC-32 of zip, gzip and PNG, as an unsigned 32-bit number; 0 for no bytes.
 *
 * @see ISO 3309; RFC 1952, section 8.
 */
export function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    remainder = (remainder >>> 8) ^ (TABLE[(remainder ^ byte) & 0xff] as number);
  }
  return ~remainder >>> 0;
}

/** One file in a zip archive, still packed. */
export interface ZipEntry {
  readonly name: string;
  /** 0: stored; 8: deflated. Others cannot be unpacked. */
  readonly method: number;
  readonly crc: number;
  readonly packed: Uint8Array;
}

const LOCAL_HEADER = 0x04034b50;
const HEADER_BYTES = 30;
const DIRECTORY_HEADER = 0x02014b50;
const DIRECTORY_HEADER_BYTES = 46;
/** The end of the directory, and what stands before it in archives over 4 GiB. */
const DIRECTORY_ENDS: readonly number[] = [0x06054b50, 0x06064b50];
const DESCRIPTOR = Uint8Array.of(0x50, 0x4b, 0x07, 0x08);
const DESCRIPTOR_BYTES = 16;
const HAS_DESCRIPTOR = 0x0008;
const IS_ENCRYPTED = 0x0001;
const IN_ZIP64_FIELD = 0xffffffff;
const ZIP64_FIELD = 0x0001;

/**
 * Reads the entries of a zip archive in the order of the file, so that one entry is in memory at a
 * time. The directory at the end is only compared with what was read.
 *
 * @param maxEntryBytes - the most that one entry may be, packed.
 * @throws {@link DamagedArchiveError} where the archive breaks off or is no zip any more; the
 *   entries before it have been delivered.
 * @see APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.9, 4.3.12 and 4.5.3.
 */
export async function* readZipEntries(
  chunks: AsyncGenerator<Uint8Array>,
  maxEntryBytes: number,
): AsyncGenerator<ZipEntry> {
  const cursor = new ByteCursor(chunks);
  const names: string[] = [];
  try {
    for (;;) {
      const signature = await readAll(cursor, 4);
      if (viewOf(signature).getUint32(0, true) !== LOCAL_HEADER) {
        cursor.putBack(signature);
        await checkDirectory(cursor, names);
        return;
      }
      const view = viewOf(concatenate([signature, await readAll(cursor, HEADER_BYTES - 4)]));
      const name = new TextDecoder().decode(await readAll(cursor, view.getUint16(26, true)));
      const extra = await readAll(cursor, view.getUint16(28, true));
      names.push(name);
      yield await readEntry(cursor, view, name, extra, maxEntryBytes);
    }
  } finally {
    await chunks.return(undefined);
  }
}

/**
 * Unpacks an entry and checks it.
 *
 * @param maxBytes - the most that it may be, unpacked.
 * @throws {@link DamagedArchiveError} when it is damaged, too large or packed in another way.
 */
export async function unpackZipEntry(entry: ZipEntry, maxBytes: number): Promise<Uint8Array> {
  const { name, method, crc, packed } = entry;
  if (method !== 0 && method !== 8) {
    throw new DamagedArchiveError(`${name} stored or deflated`, `compression method ${method}`);
  }
  const bytes = method === 0 ? packed : await inflate(name, packed, maxBytes);
  const found = crc32(bytes);
  if (found !== crc) {
    const received = `${found.toString(16)}, so it is damaged`;
    throw new DamagedArchiveError(`${name} with the checksum ${crc.toString(16)}`, received);
  }
  return bytes;
}

async function readEntry(
  cursor: ByteCursor,
  header: DataView,
  name: string,
  extra: Uint8Array,
  maxEntryBytes: number,
): Promise<ZipEntry> {
  const flags = header.getUint16(6, true);
  const method = header.getUint16(8, true);
  if (flags & IS_ENCRYPTED) {
    throw new DamagedArchiveError(`${name} without encryption`, 'an encrypted entry');
  }
  if (flags & HAS_DESCRIPTOR) {
    const { crc, packed } = await readToDescriptor(cursor, name, maxEntryBytes);
    return { name, method, crc, packed };
  }
  const crc = header.getUint32(14, true);
  const length = packedLength(header.getUint32(18, true), header.getUint32(22, true), extra);
  if (length > maxEntryBytes) throw tooLarge(name, maxEntryBytes, length);
  return { name, method, crc, packed: await readAll(cursor, length) };
}

/** The length in the header or, for archives over 4 GiB, in the field for it. */
function packedLength(packed: number, unpacked: number, extra: Uint8Array): number {
  if (packed !== IN_ZIP64_FIELD) return packed;
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== ZIP64_FIELD) continue;
    const place = at + 4 + (unpacked === IN_ZIP64_FIELD ? 8 : 0);
    if (place + 8 <= extra.length) return Number(view.getBigUint64(place, true));
  }
  return packed;
}

/** An entry of unknown length ends where a descriptor follows that states the length so far. */
async function readToDescriptor(
  cursor: ByteCursor,
  name: string,
  maxEntryBytes: number,
): Promise<{ crc: number; packed: Uint8Array }> {
  let bytes: Uint8Array = new Uint8Array(0);
  let searched = 0;
  for (;;) {
    for (let at = searched; at + DESCRIPTOR_BYTES <= bytes.length; at++) {
      searched = at + 1;
      if (!DESCRIPTOR.every((byte, index) => bytes[at + index] === byte)) continue;
      const view = viewOf(bytes.subarray(at));
      if (view.getUint32(8, true) !== at) continue;
      if (at > maxEntryBytes) throw tooLarge(name, maxEntryBytes, at);
      cursor.putBack(bytes.subarray(at + DESCRIPTOR_BYTES));
      return { crc: view.getUint32(4, true), packed: bytes.subarray(0, at) };
    }
    if (bytes.length > maxEntryBytes) throw tooLarge(name, maxEntryBytes, bytes.length);
    const more = await cursor.some();
    if (more === undefined) throw cutOff();
    bytes = concatenate([bytes, more]);
  }
}

async function checkDirectory(cursor: ByteCursor, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const header = viewOf(await readAll(cursor, DIRECTORY_HEADER_BYTES));
    const isHeader = header.getUint32(0, true) === DIRECTORY_HEADER;
    const nameLength = isHeader ? header.getUint16(28, true) : 0;
    const listed = new TextDecoder().decode(await readAll(cursor, nameLength));
    if (listed !== name) {
      throw new DamagedArchiveError(
        `${name} in the directory of the archive`,
        listed || 'other bytes',
      );
    }
    await readAll(cursor, header.getUint16(30, true) + header.getUint16(32, true));
  }
  const end = viewOf(await readAll(cursor, 4)).getUint32(0, true);
  if (!DIRECTORY_ENDS.includes(end)) {
    throw new DamagedArchiveError('the end of the directory of the archive', 'other bytes');
  }
}

async function readAll(cursor: ByteCursor, length: number): Promise<Uint8Array> {
  const bytes = await cursor.read(length);
  if (bytes.length < length) throw cutOff();
  return bytes;
}

async function inflate(name: string, packed: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const source = new Blob([packed as Uint8Array<ArrayBuffer>]).stream();
  const reader = source.pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const next = await reader.read();
      if (next.done) return concatenate(pieces);
      pieces.push(next.value);
      length += next.value.length;
      if (length > maxBytes) throw tooLarge(name, maxBytes, length);
    }
  } catch (error) {
    if (error instanceof DamagedArchiveError) throw error;
    throw new DamagedArchiveError(`deflated data in ${name}`, 'damaged data', error);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function cutOff(): DamagedArchiveError {
  return new DamagedArchiveError('a zip entry up to its end', 'the end of the input');
}

function tooLarge(name: string, limit: number, length: number): DamagedArchiveError {
  return new DamagedArchiveError(`${name} of at most ${limit} bytes`, `${length} or more`);
}
