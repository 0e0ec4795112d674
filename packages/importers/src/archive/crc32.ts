const TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, index) => {
  let remainder = index;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  }
  return remainder;
});

/**
 * The CRC-32 of zip, gzip and PNG, as an unsigned 32-bit number; 0 for no bytes.
 *
 * @see ISO 3309; RFC 1952, section 8.
 */
export function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    remainder = (remainder >>> 8) ^ (TABLE[(remainder ^ byte) & 0xff] as number);
  }
  return ~remainder >>> 0;
}
