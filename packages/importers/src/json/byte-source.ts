/** What recordings can be read from: bytes or text, in chunks of any size, or all at once. */
export type ByteSource =
  | Uint8Array
  | string
  | Iterable<Uint8Array | string>
  | AsyncIterable<Uint8Array | string>
  | ReadableStream<Uint8Array>
  | ReadableStream<string>;

/**
 * Brings any source into one form: a stream of non-empty byte chunks.
 *
 * @throws TypeError when a chunk is neither bytes nor text.
 */
export async function* toByteChunks(source: ByteSource): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string' || source instanceof Uint8Array) {
    yield* toByteChunks([source]);
    return;
  }
  const encoder = new TextEncoder();
  // A character outside the basic plane is two UTF-16 units, which two text chunks may share.
  let heldBack = '';
  for await (const chunk of asIterable(source)) {
    if (chunk instanceof Uint8Array) {
      if (heldBack !== '') yield encoder.encode(heldBack);
      heldBack = '';
      if (chunk.length > 0) yield chunk;
    } else if (typeof chunk === 'string') {
      const text = heldBack + chunk;
      const last = text.charCodeAt(text.length - 1);
      const cut = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
      heldBack = text.slice(cut);
      if (cut > 0) yield encoder.encode(text.slice(0, cut));
    } else {
      throw new TypeError(`input: expected chunks of bytes or text, received ${typeof chunk}`);
    }
  }
  if (heldBack !== '') yield encoder.encode(heldBack);
}

function asIterable(
  source: Exclude<ByteSource, string | Uint8Array>,
): Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string> {
  if (Symbol.asyncIterator in source || Symbol.iterator in source) return source;
  return readStream(source);
}

/** Not every browser lets a stream be iterated. */
async function* readStream(
  stream: ReadableStream<Uint8Array> | ReadableStream<string>,
): AsyncGenerator<Uint8Array | string> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const next = await reader.read();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await reader.cancel();
  }
}
