import { toBytes } from '../log/vector-bytes.ts';

const HEAD_BYTES = 20;

/**
 * Encodes vectors as a `vector[]` of pgvector in the binary format of Postgres, which is
 * big-endian. A number takes 4 bytes instead of about 12 as text. Undefined becomes NULL.
 *
 * @param type - the object id of the type `vector` in the database.
 */
export function vectorArray(vectors: readonly (Float32Array | undefined)[], type: number): Buffer {
  const sizes = vectors.map((vector) => (vector === undefined ? 0 : 4 + vector.length * 4));
  const bytes = Buffer.alloc(HEAD_BYTES + sizes.reduce((sum, size) => sum + 4 + size, 0));
  // Dimensions of the array, whether it has NULLs, the type and the number of its elements, and the
  // first index, 1.
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(vectors.includes(undefined) ? 1 : 0, 4);
  bytes.writeInt32BE(type, 8);
  bytes.writeInt32BE(vectors.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = HEAD_BYTES;
  for (const [i, vector] of vectors.entries()) {
    bytes.writeInt32BE(vector === undefined ? -1 : (sizes[i] as number), at);
    at += 4;
    if (vector === undefined) continue;
    bytes.writeInt16BE(vector.length, at);
    bytes.set(toBytes(vector), at + 4);
    bytes.subarray(at + 4, at + (sizes[i] as number)).swap32();
    at += sizes[i] as number;
  }
  return bytes;
}
