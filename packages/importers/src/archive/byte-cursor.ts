/** Reads a stream of chunks in pieces of wanted lengths. */
export class ByteCursor {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks;
  }

  /** The next `length` bytes; fewer only at the end of the stream. */
  async read(length: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      const piece = await this.some();
      if (piece === undefined) break;
      const taken = piece.subarray(0, missing);
      this.putBack(piece.subarray(taken.length));
      pieces.push(taken);
      missing -= taken.length;
    }
    return concatenate(pieces);
  }

  /** Bytes in whatever number is at hand, at least one; undefined at the end of the stream. */
  async some(): Promise<Uint8Array | undefined> {
    const piece = this.#rest;
    this.#rest = new Uint8Array(0);
    if (piece.length > 0) return piece;
    for (;;) {
      const next = await this.#chunks.next();
      if (next.done) return undefined;
      if (next.value.length > 0) return next.value;
    }
  }

  /** Returns bytes that were read but not used; only what the last read gave. */
  putBack(bytes: Uint8Array): void {
    this.#rest = this.#rest.length === 0 ? bytes : concatenate([bytes, this.#rest]);
  }
}

/** One array of the bytes of several. */
export function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}
