import { crc32 } from './crc32.ts';
import { SnapshotError } from './errors.ts';
import { parseMetadata, type SnapshotMetadata } from './snapshot-metadata.ts';

/** A cache's contents, oldest entry first. */
export interface Snapshot {
  readonly metadata: SnapshotMetadata;
  /** Age of each entry in milliseconds when the snapshot was taken, never increasing. */
  readonly ages: Float64Array;
  /** `[count × dimensions]` unit vectors, one after the other. */
  readonly vectors: Float32Array;
}

// Layout, little-endian: magic (8 bytes), version, CRC-32 of all that follows it, length of the
// metadata in bytes (uint32 each), metadata as UTF-8 JSON, ages (float64), vectors (float32).
const MAGIC = 'KPVCACHE';
const VERSION = 1;
const VERSION_OFFSET = 8;
const CHECKSUM_OFFSET = 12;
const LENGTH_OFFSET = 16;
const HEADER_BYTES = 20;

export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  const metadata = new TextEncoder().encode(JSON.stringify(snapshot.metadata));
  const agesOffset = HEADER_BYTES + metadata.length;
  const vectorsOffset = agesOffset + snapshot.ages.length * 8;
  const bytes = new Uint8Array(vectorsOffset + snapshot.vectors.length * 4);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < MAGIC.length; index++) bytes[index] = MAGIC.charCodeAt(index);
  view.setUint32(VERSION_OFFSET, VERSION, true);
  view.setUint32(LENGTH_OFFSET, metadata.length, true);
  bytes.set(metadata, HEADER_BYTES);
  for (let index = 0; index < snapshot.ages.length; index++) {
    view.setFloat64(agesOffset + index * 8, snapshot.ages[index] as number, true);
  }
  for (let index = 0; index < snapshot.vectors.length; index++) {
    view.setFloat32(vectorsOffset + index * 4, snapshot.vectors[index] as number, true);
  }
  view.setUint32(CHECKSUM_OFFSET, crc32(bytes.subarray(LENGTH_OFFSET)), true);
  return bytes;
}

/** @throws {@link SnapshotError} when the bytes are foreign, damaged or of another version. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot {
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
  const ages = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    ages[index] = view.getFloat64(agesOffset + index * 8, true);
  }
  const vectors = new Float32Array(count * dimensions);
  for (let index = 0; index < vectors.length; index++) {
    vectors[index] = view.getFloat32(vectorsOffset + index * 4, true);
  }
  checkAges(ages);
  checkVectors(vectors, dimensions);
  return { metadata, ages, vectors };
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
    throw new SnapshotError('checksum', hexadecimal(expected), `${hexadecimal(received)}; damaged`);
  }
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
    let squares = 0;
    for (let index = start; index < start + dimensions; index++) {
      squares += (vectors[index] as number) ** 2;
    }
    if (squares !== 0 && !(Math.abs(squares - 1) < 1e-4)) {
      const subject = `vector[${start / dimensions}]`;
      throw new SnapshotError(subject, 'length 1 or 0', `${Math.sqrt(squares)}`);
    }
  }
}

function hexadecimal(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}
