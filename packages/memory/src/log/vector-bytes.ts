import { damagedError } from '../errors.ts';

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
 * The bytes of a stored row's vector, for a {@link VectorReader}.
 *
 * @throws {@link MemoryStoreError} `MEMORY_DAMAGED` when their number is not that of `dimensions`.
 */
export function checkBytes(bytes: Uint8Array, dimensions: number, row: string): Uint8Array {
  if (bytes.length === dimensions * 4) return bytes;
  throw damagedError(row, `a vector of ${dimensions * 4} bytes`, `${bytes.length}`);
}

/** Reads vectors, each into the place of the one before, so that nothing is made for each. */
export class VectorReader {
  // One piece of memory seen as floats, words and bytes: asking each vector for its buffer makes an
  // object of it, which took a third of the time of opening a memory.
  readonly #floats: Float32Array;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(dimensions: number) {
    this.#floats = new Float32Array(dimensions);
    this.#words = new Int32Array(this.#floats.buffer);
    this.#bytes = new Uint8Array(this.#floats.buffer);
  }

  /** @returns the values until the next call, in an array that stays the reader's. */
  read(vector: Float32Array | Uint8Array): Float32Array {
    if (vector instanceof Float32Array) {
      this.#floats.set(vector);
    } else {
      this.#bytes.set(vector);
      if (!LITTLE_ENDIAN) reverseWords(this.#bytes);
    }
    return this.#floats;
  }

  /** A 32-bit hash of the bits read last: tells whether a repeat brings the very same vector. */
  fingerprint(): number {
    const words = this.#words;
    // FNV-1a of 32 bits in four lanes, none of which waits for another.
    let [a, b, c, d] = [0x811c9dc5, 0x1b873593, 0x85ebca6b, 0xc2b2ae35];
    let i = 0;
    for (; i < words.length - 3; i += 4) {
      a = mixed(a, words[i] as number);
      b = mixed(b, words[i + 1] as number);
      c = mixed(c, words[i + 2] as number);
      d = mixed(d, words[i + 3] as number);
    }
    for (; i < words.length; i++) a = mixed(a, words[i] as number);
    return mixed(mixed(mixed(a, b), c), d);
  }
}

function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x01000193);
  return product ^ (product >>> 15);
}

function reverseWords(bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i += 4) bytes.subarray(i, i + 4).reverse();
}
