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
  if (!LITTLE_ENDIAN) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return Float32Array.from({ length: dimensions }, (_, i) => view.getFloat32(i * 4, true));
  }
  const { floats, bytes: scratchBytes } = scratchOf(dimensions);
  scratchBytes.set(bytes);
  return floats.slice(0, dimensions);
}

/** A 32-bit FNV-1a of the vector's bits: tells whether a repeat brings the very same vector. */
export function fingerprint(vector: Float32Array): number {
  const { floats, words } = scratchOf(vector.length);
  floats.set(vector);
  let hash = 0x811c9dc5;
  for (let i = 0; i < vector.length; i++) {
    hash = Math.imul(hash ^ (words[i] as number), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash;
}

// One piece of memory seen as floats, words and bytes: asking each vector for its buffer makes an
// object of it, which took a third of the time of opening a memory.
let scratch = newScratch(0);

function newScratch(length: number): {
  readonly floats: Float32Array;
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
} {
  const floats = new Float32Array(length);
  const { buffer } = floats;
  return { floats, words: new Int32Array(buffer), bytes: new Uint8Array(buffer) };
}

function scratchOf(length: number): typeof scratch {
  if (scratch.floats.length < length) scratch = newScratch(length);
  return scratch;
}
