import { MemoryStoreError } from '../errors.ts';

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The vector as little-endian float32, the same on every machine; shares memory where it can. */
export function toBytes(vector: Float32Array): Uint8Array {
  if (LITTLE_ENDIAN) {
    return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  }
  const bytes = new Uint8Array(vector.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of vector.entries()) view.setFloat32(i * 4, value, true);
  return bytes;
}

/**
 * The vector of a stored row.
 *
 * @throws {@link MemoryStoreError} `MEMORY_DAMAGED` when its length is not that of `dimensions`.
 */
export function fromBytes(bytes: Uint8Array, dimensions: number, row: string): Float32Array {
  if (bytes.length !== dimensions * 4) {
    throw new MemoryStoreError({
      code: 'MEMORY_DAMAGED',
      subject: row,
      expected: `a vector of ${dimensions * 4} bytes`,
      received: `${bytes.length}`,
      remedy: 'restore the memory from a backup, or forget the trace',
    });
  }
  if (LITTLE_ENDIAN) {
    // Copied: the driver's bytes may lie at any offset and may be used again.
    return new Float32Array(new Uint8Array(bytes).buffer);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Float32Array.from({ length: dimensions }, (_, i) => view.getFloat32(i * 4, true));
}

/** A 32-bit FNV-1a of the vector's bits: tells whether a repeat brings the very same vector. */
export function fingerprint(vector: Float32Array): number {
  const words = new Int32Array(vector.buffer, vector.byteOffset, vector.length);
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) {
    hash = Math.imul(hash ^ (words[i] as number), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash;
}
