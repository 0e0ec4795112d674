import { damagedError } from './errors.ts';

/**
 * Returns the vector as little-endian float32, without a copy. All machines with WebAssembly are
 * little-endian.
 */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/**
 * Returns the bytes of a stored vector.
 *
 * @throws {@link MemoryStoreError} `MEMORY_DAMAGED` when their number does not match `dimensions`.
 */
export function checkBytes(bytes: Uint8Array, dimensions: number, row: string): Uint8Array {
  if (bytes.length === dimensions * 4) return bytes;
  throw damagedError(row, `a vector of ${dimensions * 4} bytes`, `${bytes.length}`);
}

/** Reads vectors into one buffer, so that no object is created for each. */
export class VectorReader {
  readonly #floats: Float32Array;
  readonly #bytes: Uint8Array;
  // Bundlers for browsers would follow an import.
  readonly #crc32 = process.getBuiltinModule('node:zlib').crc32;

  constructor(dimensions: number) {
    this.#floats = new Float32Array(dimensions);
    this.#bytes = new Uint8Array(this.#floats.buffer);
  }

  /** @returns the values, in an array that the next call overwrites. */
  read(vector: Float32Array | Uint8Array): Float32Array {
    if (vector instanceof Float32Array) this.#floats.set(vector);
    else this.#bytes.set(vector);
    return this.#floats;
  }

  /** CRC-32 of the bytes read last, to detect whether a repeated key has the same vector. */
  checksum(): number {
    return this.#crc32(this.#bytes);
  }
}
