import type { RunMessages, WordDocument } from '@kp/curation';

/**
 * Packs the words of a run: the number of texts, the number of words of each, then the number and the
 * count of each word, as variable-length integers.
 */
export function packWords({ words, counts, ends }: WordDocument): Uint8Array {
  const bytes = new Uint8Array(5 * (1 + ends.length + 2 * words.length));
  let end = putInteger(bytes, 0, ends.length);
  for (let text = 0; text < ends.length; text++) {
    const start = text === 0 ? 0 : (ends[text - 1] as number);
    end = putInteger(bytes, end, (ends[text] as number) - start);
  }
  for (let at = 0; at < words.length; at++) {
    end = putInteger(bytes, end, words[at] as number);
    end = putInteger(bytes, end, counts[at] as number);
  }
  return bytes.slice(0, end);
}

/**
 * Reads what {@link packWords} wrote.
 *
 * @param numberOf - the new number of each word.
 */
export function unpackWords(bytes: Uint8Array, numberOf: Uint32Array): WordDocument {
  const next = integersIn(bytes);
  const ends = new Uint32Array(next());
  let size = 0;
  for (let text = 0; text < ends.length; text++) {
    size += next();
    ends[text] = size;
  }
  const words = new Uint32Array(size);
  const counts = new Uint16Array(size);
  for (let index = 0; index < size; index++) {
    words[index] = numberOf[next()] as number;
    counts[index] = next();
  }
  return { words, counts, ends };
}

/**
 * Writes a whole number as a variable-length integer (unsigned LEB128): at most five bytes below 2³⁵.
 *
 * @returns the position after it.
 */
export function putInteger(bytes: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest > 0x7f) {
    bytes[at++] = (rest & 0x7f) | 0x80;
    rest = Math.floor(rest / 128);
  }
  bytes[at++] = rest;
  return at;
}

/** Returns a function that reads the next integer that {@link putInteger} wrote. */
export function integersIn(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
}

const DIGEST_BYTES = 16;
const MESSAGE_BYTES = DIGEST_BYTES + 1;

/** Packs the messages of a run: for each, its digest or zeros, and whether a user said it. */
export function packMessages({ digests, byUsers }: RunMessages): Uint8Array {
  const bytes = Buffer.alloc(digests.length * MESSAGE_BYTES);
  for (const [at, digest] of digests.entries()) bytes.write(digest, at * MESSAGE_BYTES, 'hex');
  for (const at of byUsers) bytes[at * MESSAGE_BYTES + DIGEST_BYTES] = 1;
  return bytes;
}

/** Reads what {@link packMessages} wrote. */
export function unpackMessages(packed: Uint8Array): RunMessages {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const digests: string[] = [];
  const byUsers: number[] = [];
  for (let start = 0; start < bytes.length; start += MESSAGE_BYTES) {
    const end = start + DIGEST_BYTES;
    const digest = bytes.toString('hex', start, end);
    if (bytes[end] === 1) byUsers.push(digests.length);
    digests.push(digest === NO_DIGEST ? '' : digest);
  }
  return { digests, byUsers };
}

const NO_DIGEST = '00'.repeat(DIGEST_BYTES);
