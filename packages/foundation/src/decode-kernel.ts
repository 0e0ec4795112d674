/**
 * Decodes the bytes of a WebAssembly module. Each character from # on, except the apostrophe and the backslash, is
 * a byte, counted from 253 (which begins most SIMD instructions) modulo 256; a space before it adds 90,
 * and ! adds 180. Unlike base64 this keeps repetitions visible to gzip, which makes a bundle a third
 * of the size.
 *
 * @param text - written by `bun run kernel` of a package.
 */
export function decodeKernel(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  let size = 0;
  let more = 253;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 35) {
      more += (code - 31) * 90;
      continue;
    }
    bytes[size++] = more + code - 35 - (code > 39 ? 1 : 0) - (code > 92 ? 1 : 0);
    more = 253;
  }
  return bytes.slice(0, size);
}
