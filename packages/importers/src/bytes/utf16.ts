/** The first bytes of a text that Windows programs write, such as a redirection in PowerShell. */
const LITTLE_ENDIAN = [0xff, 0xfe];
const BIG_ENDIAN = [0xfe, 0xff];

/** Whether bytes begin with the byte order mark of UTF-16. */
export function beginsUtf16(head: Uint8Array): boolean {
  return [LITTLE_ENDIAN, BIG_ENDIAN].some((mark) => mark.every((byte, at) => head[at] === byte));
}

/** Converts text in UTF-16 with a byte order mark to UTF-8. Replaces unpaired surrogates with U+FFFD. */
export async function* utf16ToUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let decoder: TextDecoder | undefined;
  let isBig = false;
  /** The first byte of a unit whose second byte is in the next chunk. */
  let held: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = new Uint8Array(held.length + chunk.length);
    bytes.set(held);
    bytes.set(chunk, held.length);
    const whole = bytes.subarray(0, bytes.length & ~1);
    held = bytes.slice(whole.length);
    if (whole.length === 0) continue;
    if (decoder === undefined) {
      isBig = whole[0] === BIG_ENDIAN[0];
      decoder = new TextDecoder('utf-16le');
    }
    if (isBig) swapPairs(whole);
    const text = decoder.decode(whole, { stream: true });
    if (text !== '') yield encoder.encode(text);
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield encoder.encode(rest);
}

function swapPairs(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 2) {
    const first = bytes[at] ?? 0;
    bytes[at] = bytes[at + 1] ?? 0;
    bytes[at + 1] = first;
  }
}
