// Reflected polynomial of CRC-32 (ISO 3309, as in gzip and PNG).
const POLYNOMIAL = 0xedb88320;
let table: Uint32Array | undefined;

/**
 * CRC-32 of the bytes, continued from `previous`. Finds every error of up to 32 bits in a row.
 *
 * @returns an unsigned 32-bit integer; `previous` for no bytes.
 * @see ISO 3309; the check value of "123456789" is 0xcbf43926.
 */
export function crc32(bytes: Uint8Array, previous = 0): number {
  table ??= makeTable();
  let crc = ~previous;
  for (let index = 0; index < bytes.length; index++) {
    crc = (crc >>> 8) ^ (table[(crc ^ (bytes[index] as number)) & 0xff] as number);
  }
  return ~crc >>> 0;
}

function makeTable(): Uint32Array {
  const entries = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    entries[byte] = value;
  }
  return entries;
}
