/** The first bytes of a stream, and the stream with them still in it. */
export interface PeekedStream {
  /** As many bytes as asked for, or all there are. */
  readonly head: Uint8Array;
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/** Looks at the first `length` bytes of a stream. */
export async function peek(
  chunks: AsyncGenerator<Uint8Array>,
  length: number,
): Promise<PeekedStream> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < length) {
    const next = await chunks.next();
    if (next.done) break;
    const joined = new Uint8Array(head.length + next.value.length);
    joined.set(head);
    joined.set(next.value, head.length);
    head = joined;
  }
  return { head: head.subarray(0, length), chunks: prepend(head, chunks) };
}

async function* prepend(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
