import { DamagedArchiveError } from '../errors/errors.ts';

/** States of an FSE decoder. Each state yields a symbol and, with further bits, the next state. */
export interface FseTable {
  readonly log: number;
  readonly codes: Uint8Array;
  readonly bits: Uint8Array;
  readonly next: Uint16Array;
}

/**
 * Reads a table description: the number of states of each symbol out of `2 ** log` (-1: probability
 * below one state), and the offset of the data after it.
 *
 * @throws {@link DamagedArchiveError} if the table has too many states or runs past the block.
 * @see RFC 8878, section 4.1.1.
 */
export function readCounts(
  block: Uint8Array,
  at: number,
  mostLog: number,
): { counts: number[]; log: number; end: number } {
  const log = ((block[at] ?? 0) & 15) + 5;
  if (log > mostLog) throw damagedZstd();
  const counts: number[] = [];
  let bit = at * 8 + 4;
  for (let left = 2 ** log; left > 0; ) {
    const width = 32 - Math.clz32(left + 1);
    const short = 2 ** width - 2 - left;
    let value = bitsAt(block, bit, width - 1);
    if (value < short) bit += width - 1;
    else {
      value = bitsAt(block, bit, width);
      if (value >= 2 ** (width - 1)) value -= short;
      bit += width;
    }
    counts.push(value - 1);
    left -= Math.abs(value - 1);
    for (let zeros = value === 1 ? 3 : 0; zeros === 3; bit += 2) {
      zeros = bitsAt(block, bit, 2);
      counts.push(...Array<number>(zeros).fill(0));
    }
    if (left < 0 || counts.length > 256) throw damagedZstd();
  }
  const end = (bit + 7) >> 3;
  if (end > block.length) throw damagedZstd();
  return { counts, log, end };
}

/** Builds the decoding table from the symbol counts. */
export function makeTable(counts: readonly number[], log: number): FseTable {
  const size = 2 ** log;
  const codes = new Uint8Array(size);
  const bits = new Uint8Array(size);
  const next = new Uint16Array(size);
  let high = size;
  for (const [code, count] of counts.entries()) if (count === -1) codes[--high] = code;
  let place = 0;
  for (const [code, count] of counts.entries()) {
    for (let index = 0; index < count; index++) {
      codes[place] = code;
      do place = (place + (size >> 1) + (size >> 3) + 3) & (size - 1);
      while (place >= high);
    }
  }
  const seen = counts.map(Math.abs);
  for (let state = 0; state < size; state++) {
    const code = codes[state] as number;
    const number = seen[code] as number;
    seen[code] = number + 1;
    const width = log - 31 + Math.clz32(number);
    bits[state] = width;
    next[state] = (number << width) - size;
  }
  return { log, codes, bits, next };
}

/** Reads up to 16 bits, lowest first. Bits outside the data are 0. */
export function bitsAt(bytes: Uint8Array, bit: number, width: number): number {
  return (numberAt(bytes, bit >> 3, 3) >> (bit & 7)) & ((1 << width) - 1);
}

/** Reads a little-endian unsigned integer. */
export function numberAt(bytes: Uint8Array, at: number, size: number): number {
  let number = 0;
  for (let index = size - 1; index >= 0; index--) number = number * 256 + (bytes[at + index] ?? 0);
  return number;
}

/** The error for invalid zstd data. */
export function damagedZstd(received = 'damaged data', cause?: unknown): DamagedArchiveError {
  return new DamagedArchiveError('zstd data up to its end', received, cause);
}
