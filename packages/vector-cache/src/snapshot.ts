import { InvalidTypeError, InvalidValueError, messageOf } from '@kp/foundation';
import { SnapshotError } from './errors.ts';
import {
  checkType,
  type ResolvedOptions,
  resolveOptions,
  type SnapshotOptions,
  type VectorCacheOptions,
} from './options.ts';
import { sumOfSquares, typedArrayKind } from './vector-input.ts';

/** The entries of a cache, oldest first. */
export interface Contents {
  /** One per entry, null for an entry without a key; null if no entry has a key. */
  readonly keys: readonly (string | null)[] | null;
  /** Age of each entry in milliseconds when the snapshot was taken, in descending order. */
  readonly ages: Float64Array;
  /** `[count × dimensions]` unit vectors. */
  readonly vectors: Float32Array;
}

/** A snapshot that was read, with the options of the cache to create from it. */
export interface Snapshot extends Contents {
  readonly options: VectorCacheOptions;
  readonly elapsedMs: number;
}

/** The options of a cache that its snapshot keeps. */
type KeptOptions = Pick<ResolvedOptions, 'dimensions' | 'maxElements' | 'ttlMs' | 'embedderId'>;

// Layout, little-endian like every platform with WebAssembly SIMD: magic (8 bytes), version, CRC-32
// of all that follows it, length of the metadata in bytes (uint32 each), metadata as UTF-8 JSON,
// ages (float64), vectors (float32).
const MAGIC = 'KPVCACHE';
const VERSION = 1;
const VERSION_OFFSET = 8;
const CHECKSUM_OFFSET = 12;
const LENGTH_OFFSET = 16;
const HEADER_BYTES = 20;

/**
 * Creates the bytes of a snapshot.
 *
 * @returns `ages` and `vectors`, which are views of the bytes for the caller to fill, and `seal`, which
 *   then returns the bytes.
 */
export function openSnapshot(
  { dimensions, maxElements, ttlMs, embedderId }: KeptOptions,
  count: number,
  keys: Contents['keys'],
): Contents & { seal: () => Uint8Array } {
  // JSON writes a `ttlMs` of Infinity as null.
  const metadata = { count, dimensions, maxElements, ttlMs, embedderId: embedderId ?? null, keys };
  const text = new TextEncoder().encode(JSON.stringify(metadata));
  // Spaces after the JSON align the numbers for typed arrays.
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
 * @throws {@link SnapshotError} if they are not a snapshot, are damaged, have another version, or
 * do not match the options.
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
  // A Buffer of Node overrides methods such as `slice`, so read the bytes through a plain array.
  const bytes = new Uint8Array(given.buffer as ArrayBuffer, given.byteOffset, given.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkHeader(bytes, view);
  const agesOffset = HEADER_BYTES + view.getUint32(LENGTH_OFFSET, true);
  const { count, keys, kept } = parseMetadata(bytes.subarray(HEADER_BYTES, agesOffset));
  const { dimensions } = kept;
  checkEqual('bytes', agesOffset + count * (8 + dimensions * 4), bytes.length);
  // Typed arrays need aligned bytes; copy them if they are not.
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

/** @throws {@link SnapshotError} unless the value found equals the expected one. */
function checkEqual<T>(subject: string, expected: T, found: T): void {
  if (found === expected) return;
  throw new SnapshotError(subject, JSON.stringify(expected), `${JSON.stringify(found)}`);
}

/**
 * CRC-32 (ISO 3309, as in gzip and PNG) of the bytes. Detects every burst error of up to 32 bits.
 *
 * @returns an unsigned 32-bit integer; 0 for no bytes. "123456789" has 0xcbf43926.
 */
export function crc32(bytes: Uint8Array): number {
  const zlib = globalThis.process?.getBuiltinModule?.('node:zlib');
  return zlib?.crc32?.(bytes) ?? portableCrc32(bytes);
}

/** {@link crc32} for browsers. */
export function portableCrc32(bytes: Uint8Array): number {
  const table = Int32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });
  let crc = -1;
  for (let index = 0; index < bytes.length; index++) {
    crc = (crc >>> 8) ^ table[(crc ^ bytes[index]) & 255];
  }
  return ~crc >>> 0;
}

function checkHeader(bytes: Uint8Array, view: DataView): void {
  checkEqual('bytes', Math.max(HEADER_BYTES, bytes.length), bytes.length);
  checkEqual('magic bytes', MAGIC, String.fromCharCode(...bytes.subarray(0, MAGIC.length)));
  checkEqual('version', VERSION, view.getUint32(VERSION_OFFSET, true));
  const checksum = view.getUint32(CHECKSUM_OFFSET, true);
  checkEqual('checksum', checksum, crc32(bytes.subarray(LENGTH_OFFSET)));
}

/** The part of a snapshot that is JSON. */
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

/** The searches rely on vectors of length 1 or 0. */
function checkVectors(vectors: Float32Array, dimensions: number): void {
  for (let start = 0; start < vectors.length; start += dimensions) {
    const squares = sumOfSquares(vectors, start, start + dimensions);
    if (squares !== 0 && !(Math.abs(squares - 1) < 1e-4)) {
      const subject = `vector[${start / dimensions}]`;
      throw new SnapshotError(subject, 'length 1 or 0', `${Math.sqrt(squares)}`);
    }
  }
}
