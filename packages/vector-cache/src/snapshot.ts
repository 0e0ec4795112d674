import { InvalidTypeError, InvalidValueError, messageOf } from '@kp/foundation';
import { SnapshotError } from './errors.ts';
import {
  checkType,
  type ResolvedOptions,
  resolveOptions,
  type SnapshotOptions,
  type VectorCacheOptions,
} from './options.ts';
import { builtinModule } from './platform.ts';
import { sumOfSquares, typedArrayKind } from './vector-input.ts';

/** A cache's contents, oldest entry first. */
export interface Contents {
  /** One an entry, null for one without a key; null altogether when no entry has one. */
  readonly keys: readonly (string | null)[] | null;
  /** Age of each entry in milliseconds when the snapshot was taken, never increasing. */
  readonly ages: Float64Array;
  /** `[count × dimensions]` unit vectors, one after the other. */
  readonly vectors: Float32Array;
}

/** A snapshot read, with the options of the cache to make of it. */
export interface Snapshot extends Contents {
  readonly options: VectorCacheOptions;
  readonly elapsedMs: number;
}

/** The options of a cache that its snapshot keeps. */
type KeptOptions = Pick<ResolvedOptions, 'dimensions' | 'maxElements' | 'ttlMs' | 'embedderId'>;

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
export function openSnapshot(
  { dimensions, maxElements, ttlMs, embedderId }: KeptOptions,
  count: number,
  keys: Contents['keys'],
): Contents & { seal: () => Uint8Array } {
  // No limit of age is Infinity, which JSON writes as null.
  const metadata = { count, dimensions, maxElements, ttlMs, embedderId: embedderId ?? null, keys };
  const text = new TextEncoder().encode(JSON.stringify(metadata));
  // Spaces after the JSON, so that the numbers behind it lie where typed arrays can be laid.
  const agesOffset = Math.ceil((HEADER_BYTES + text.length) / 8) * 8;
  const vectorsOffset = agesOffset + count * 8;
  const bytes = new Uint8Array(vectorsOffset + count * dimensions * 4);
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
  const ages = new Float64Array(bytes.buffer, agesOffset, count);
  return { keys, ages, vectors: new Float32Array(bytes.buffer, vectorsOffset), seal };
}

/**
 * Reads the bytes of a snapshot.
 *
 * @throws {@link SnapshotError} when they are foreign, damaged, of another version, or not what the
 * options demand.
 */
export function readSnapshot(given: Uint8Array, changes: SnapshotOptions): Snapshot {
  if (typedArrayKind(given) !== 'Uint8Array') {
    throw new InvalidTypeError('bytes', 'a Uint8Array', given);
  }
  const { elapsedMs = 0, ...others } = changes;
  checkType('elapsedMs', elapsedMs, 'number');
  if (!(elapsedMs >= 0 && elapsedMs < Infinity)) {
    throw new InvalidValueError('elapsedMs', 'finite milliseconds from 0', elapsedMs);
  }
  const { kept, ...contents } = decode(given);
  const { dimensions, embedderId } = kept;
  checkEqual('dimensions', others.dimensions ?? dimensions, dimensions);
  checkEqual('embedderId', others.embedderId ?? embedderId, embedderId);
  const { maxElements = kept.maxElements, ttlMs = kept.ttlMs } = others;
  const options = { ...others, dimensions, embedderId, maxElements, ttlMs };
  return { options, elapsedMs, ...contents };
}

function decode(given: Uint8Array): Contents & { kept: KeptOptions } {
  // A plain array over the same bytes: a Buffer of Node has methods of another meaning.
  const bytes = new Uint8Array(given.buffer as ArrayBuffer, given.byteOffset, given.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkHeader(bytes, view);
  const agesOffset = HEADER_BYTES + view.getUint32(LENGTH_OFFSET, true);
  const { count, keys, kept } = parseMetadata(bytes.subarray(HEADER_BYTES, agesOffset));
  const { dimensions } = kept;
  checkEqual('bytes', agesOffset + count * (8 + dimensions * 4), bytes.length);
  // Where numbers lie askew, typed arrays are laid on a copy.
  const body = bytes.subarray(agesOffset);
  const { buffer, byteOffset } = body.byteOffset % 8 === 0 ? body : body.slice();
  const ages = new Float64Array(buffer, byteOffset, count);
  checkEqual('count', ages.length, count);
  const vectors = new Float32Array(buffer, byteOffset + count * 8, count * dimensions);
  checkKeys(keys, count);
  checkAges(ages);
  checkVectors(vectors, dimensions);
  return { kept, keys, ages, vectors };
}

/** @throws {@link SnapshotError} unless what was found is what was expected. */
function checkEqual<T>(subject: string, expected: T, found: T): void {
  if (found === expected) return;
  throw new SnapshotError(subject, JSON.stringify(expected), `${JSON.stringify(found)}`);
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
  // Node's and Bun's takes a third to an eighth of the time of ours.
  return builtinModule('node:zlib')?.crc32?.(bytes) ?? portableCrc32(bytes);
}

/** {@link crc32} in TypeScript. */
export function portableCrc32(bytes: Uint8Array): number {
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
    crc = (crc >>> 8) ^ t[(crc ^ bytes[index]) & 255];
  }
  return ~crc >>> 0;
}

/** What four bytes come to after as many more as the table at `offset` stands for. */
function sliced(t: Int32Array, word: number, offset: number): number {
  return (
    t[offset + 768 + (word & 255)] ^
    t[offset + 512 + ((word >>> 8) & 255)] ^
    t[offset + 256 + ((word >>> 16) & 255)] ^
    t[offset + (word >>> 24)]
  );
}

function makeTables(): Int32Array {
  const entries = new Int32Array(SLICES * 256);
  for (let index = 0; index < entries.length; index++) {
    // A byte, in the first table, or what it came to in the table before, followed by eight zeros.
    let value = index < 256 ? index : entries[index - 256];
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    entries[index] = value;
  }
  return entries;
}

function checkHeader(bytes: Uint8Array, view: DataView): void {
  checkEqual('bytes', Math.max(HEADER_BYTES, bytes.length), bytes.length);
  checkEqual('magic bytes', MAGIC, String.fromCharCode(...bytes.subarray(0, MAGIC.length)));
  checkEqual('version', VERSION, view.getUint32(VERSION_OFFSET, true));
  const checksum = view.getUint32(CHECKSUM_OFFSET, true);
  checkEqual('checksum', checksum, crc32(bytes.subarray(LENGTH_OFFSET)));
}

/** The part of a snapshot that is no number. */
interface Metadata extends Pick<Contents, 'keys'> {
  readonly count: number;
  readonly kept: KeptOptions;
}

function parseMetadata(bytes: Uint8Array): Metadata {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const { count, keys, dimensions, maxElements, ttlMs, embedderId } = JSON.parse(text);
    const kept = resolveOptions({
      dimensions,
      maxElements,
      ttlMs: ttlMs ?? undefined,
      embedderId: embedderId ?? undefined,
    });
    return { count, keys, kept };
  } catch (cause) {
    throw new SnapshotError('metadata', 'the options of a cache as JSON', messageOf(cause), cause);
  }
}

function checkKeys(keys: unknown, count: number): void {
  if (keys === null) return;
  const isKey = (key: unknown) => key === null || typeof key === 'string';
  const isTable = Array.isArray(keys) && keys.every(isKey);
  checkEqual<unknown>('keys', count, isTable ? keys.length : 'other values');
}

function checkAges(ages: Float64Array): void {
  let previous = Infinity;
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
