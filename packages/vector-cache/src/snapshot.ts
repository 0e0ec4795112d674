import { SnapshotError } from './errors.ts';
import { type ResolvedOptions, resolveOptions } from './options.ts';
import { sumOfSquares } from './vector-input.ts';

/** A cache's contents, oldest entry first. */
export interface Snapshot {
  readonly metadata: SnapshotMetadata;
  /** Age of each entry in milliseconds when the snapshot was taken, never increasing. */
  readonly ages: Float64Array;
  /** `[count × dimensions]` unit vectors, one after the other. */
  readonly vectors: Float32Array;
}

/** The part of a snapshot that is no vector: the options of the cache and the key table. */
export interface SnapshotMetadata {
  readonly count: number;
  readonly dimensions: number;
  readonly maxElements: number;
  /** null: no limit. */
  readonly ttlMs: number | null;
  /** null: the cache had none. */
  readonly embedderId: string | null;
  /** One a vector, null for one without a key; null altogether when no vector has one. */
  readonly keys: readonly (string | null)[] | null;
}

// Layout, little-endian as every platform with WebAssembly SIMD is: magic (8 bytes), version,
// CRC-32 of all that follows it, length of the metadata in bytes (uint32 each), metadata as UTF-8
// JSON, ages (float64), vectors (float32).
const MAGIC = 'KPVCACHE';
const VERSION = 1;
const VERSION_OFFSET = 8;
const CHECKSUM_OFFSET = 12;
const LENGTH_OFFSET = 16;
const HEADER_BYTES = 20;

/** The bytes of a snapshot; `ages` and `vectors` are places in them, for the caller to fill. */
export function openSnapshot(metadata: SnapshotMetadata): Snapshot & { seal: () => Uint8Array } {
  const text = new TextEncoder().encode(JSON.stringify(metadata));
  // Spaces after the JSON, so that the numbers behind it lie where typed arrays can be laid.
  const agesOffset = Math.ceil((HEADER_BYTES + text.length) / 8) * 8;
  const vectorsOffset = agesOffset + metadata.count * 8;
  const values = metadata.count * metadata.dimensions;
  const bytes = new Uint8Array(vectorsOffset + values * 4);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < MAGIC.length; index++) bytes[index] = MAGIC.charCodeAt(index);
  view.setUint32(VERSION_OFFSET, VERSION, true);
  view.setUint32(LENGTH_OFFSET, agesOffset - HEADER_BYTES, true);
  bytes.fill(0x20, HEADER_BYTES, agesOffset);
  bytes.set(text, HEADER_BYTES);
  const seal = () => {
    view.setUint32(CHECKSUM_OFFSET, crc32(bytes.subarray(LENGTH_OFFSET)), true);
    return bytes;
  };
  const ages = new Float64Array(bytes.buffer, agesOffset, metadata.count);
  return { metadata, ages, vectors: new Float32Array(bytes.buffer, vectorsOffset, values), seal };
}

/** @throws {@link SnapshotError} when the bytes are foreign, damaged or of another version. */
export function decodeSnapshot(given: Uint8Array): Snapshot {
  // A plain array over the same bytes: a Buffer of Node has methods of another meaning.
  const bytes = new Uint8Array(given.buffer as ArrayBuffer, given.byteOffset, given.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkHeader(bytes, view);
  const metadataLength = view.getUint32(LENGTH_OFFSET, true);
  if (metadataLength > bytes.length - HEADER_BYTES) {
    throw new SnapshotError('length', `${HEADER_BYTES + metadataLength} bytes`, `${bytes.length}`);
  }
  const agesOffset = HEADER_BYTES + metadataLength;
  const metadata = parseMetadata(bytes.subarray(HEADER_BYTES, agesOffset));
  const { count, dimensions } = metadata;
  const vectorsOffset = agesOffset + count * 8;
  const length = vectorsOffset + count * dimensions * 4;
  if (bytes.length !== length) {
    throw new SnapshotError('length', `${length} bytes`, `${bytes.length}`);
  }
  // Where numbers lie askew, typed arrays are laid on a copy.
  const body = bytes.subarray(agesOffset);
  const { buffer, byteOffset } = body.byteOffset % 8 === 0 ? body : body.slice();
  const ages = new Float64Array(buffer, byteOffset, count);
  const vectors = new Float32Array(buffer, byteOffset + count * 8, count * dimensions);
  checkAges(ages);
  checkVectors(vectors, dimensions);
  return { metadata, ages, vectors };
}

// Tables for sixteen bytes at a time, after "slicing-by-8" (Kounavis and Berry 2005, "A Systematic
// Approach to Building High Performance, Software-based, CRC Generators").
const SLICES = 16;
let tables: Int32Array | undefined;

/**
 * CRC-32 (ISO 3309, as in gzip and PNG) of the bytes. Finds every error of up to 32 bits in a row.
 *
 * @returns an unsigned 32-bit integer; 0 for no bytes. "123456789" has 0xcbf43926.
 */
export function crc32(bytes: Uint8Array): number {
  tables ??= makeTables();
  const t = tables;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let crc = -1;
  let index = 0;
  for (const end = bytes.length - SLICES + 1; index < end; index += SLICES) {
    crc =
      sliced(t, crc ^ view.getInt32(index, true), 12 << 8) ^
      sliced(t, view.getInt32(index + 4, true), 8 << 8) ^
      sliced(t, view.getInt32(index + 8, true), 4 << 8) ^
      sliced(t, view.getInt32(index + 12, true), 0);
  }
  for (; index < bytes.length; index++) {
    crc = (crc >>> 8) ^ (t[(crc ^ (bytes[index] as number)) & 255] as number);
  }
  return ~crc >>> 0;
}

/** What four bytes come to after as many more as the table at `offset` stands for. */
function sliced(t: Int32Array, word: number, offset: number): number {
  return (
    (t[offset + 768 + (word & 255)] as number) ^
    (t[offset + 512 + ((word >>> 8) & 255)] as number) ^
    (t[offset + 256 + ((word >>> 16) & 255)] as number) ^
    (t[offset + (word >>> 24)] as number)
  );
}

function makeTables(): Int32Array {
  const entries = new Int32Array(SLICES * 256);
  for (let index = 0; index < 256; index++) {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    entries[index] = value;
  }
  for (let index = 256; index < entries.length; index++) {
    const shorter = entries[index - 256] as number;
    entries[index] = (shorter >>> 8) ^ (entries[shorter & 255] as number);
  }
  return entries;
}

function checkHeader(bytes: Uint8Array, view: DataView): void {
  if (bytes.length < HEADER_BYTES) {
    throw new SnapshotError('length', `at least ${HEADER_BYTES} bytes`, `${bytes.length}`);
  }
  const magic = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
  if (magic !== MAGIC) {
    throw new SnapshotError('magic bytes', JSON.stringify(MAGIC), JSON.stringify(magic));
  }
  const version = view.getUint32(VERSION_OFFSET, true);
  if (version !== VERSION) throw new SnapshotError('version', `${VERSION}`, `${version}`);
  const expected = view.getUint32(CHECKSUM_OFFSET, true);
  const received = crc32(bytes.subarray(LENGTH_OFFSET));
  if (expected !== received) {
    throw new SnapshotError('checksum', `${expected}`, `${received}; damaged`);
  }
}

function parseMetadata(bytes: Uint8Array): SnapshotMetadata {
  let fields: SnapshotMetadata;
  let options: ResolvedOptions;
  try {
    fields = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const { dimensions, maxElements, ttlMs, embedderId } = fields;
    const isWhole = [dimensions, maxElements, ttlMs, embedderId].every(
      (each) => each !== undefined,
    );
    if (!isWhole) throw new SnapshotError('metadata', 'every field', Object.keys(fields).join());
    options = resolveOptions({
      dimensions,
      maxElements,
      ttlMs: ttlMs ?? undefined,
      embedderId: embedderId ?? undefined,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SnapshotError('metadata', 'the options of a cache as JSON', reason, { cause });
  }
  const { count, keys } = fields;
  if (!(Number.isInteger(count) && count >= 0 && count <= options.maxElements)) {
    throw new SnapshotError('count', `an integer from 0 to ${options.maxElements}`, `${count}`);
  }
  if (keys !== null) checkKeys(keys, count);
  return fields;
}

function checkKeys(keys: readonly unknown[], count: number): void {
  if (!Array.isArray(keys)) throw new SnapshotError('keys', 'an array or null', typeof keys);
  if (keys.length !== count) throw new SnapshotError('keys', `${count} keys`, `${keys.length}`);
  const wrong = keys.findIndex((key) => key !== null && typeof key !== 'string');
  if (wrong < 0) return;
  throw new SnapshotError(`keys[${wrong}]`, 'a string or null', typeof keys[wrong]);
}

function checkAges(ages: Float64Array): void {
  let previous = Number.POSITIVE_INFINITY;
  for (const [index, age] of ages.entries()) {
    if (!(Number.isFinite(age) && age >= 0 && age <= previous)) {
      throw new SnapshotError(`age[${index}]`, 'finite, at least 0, oldest first', `${age}`);
    }
    previous = age;
  }
}

/** Refuses what no cache writes: the searches rely on vectors of length 1 or 0. */
function checkVectors(vectors: Float32Array, dimensions: number): void {
  for (let start = 0; start < vectors.length; start += dimensions) {
    const squares = sumOfSquares(vectors, start, start + dimensions);
    if (squares !== 0 && !(Math.abs(squares - 1) < 1e-4)) {
      const subject = `vector[${start / dimensions}]`;
      throw new SnapshotError(subject, 'length 1 or 0', `${Math.sqrt(squares)}`);
    }
  }
}
