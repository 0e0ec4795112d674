import type { TensorEntry } from './safetensors.ts';

/** The elements of a tensor as numbers. */
export type TensorValues = Float32Array | Float64Array | Int8Array | Int32Array;

/**
 * The elements of a tensor. Half floats are widened, 64-bit integers become float64; the others stay
 * as they are, int8 without its scale, which a mean that is normalised does not need.
 */
export function tensorValues(file: Uint8Array, entry: TensorEntry): TensorValues {
  // A copy: the data may start at an odd byte, and the file can then be let go. Not by slice, which
  // does not copy a Node Buffer.
  const bytes = Uint8Array.from(file.subarray(entry.start, entry.end));
  const { buffer } = bytes;
  switch (entry.type) {
    case 'I8':
      return new Int8Array(buffer);
    case 'F32':
      return new Float32Array(buffer);
    case 'F64':
      return new Float64Array(buffer);
    case 'I32':
      return new Int32Array(buffer);
    case 'I64':
      return Float64Array.from(new BigInt64Array(buffer), Number);
    case 'F16':
      return Float32Array.from(new Uint16Array(buffer), halfToNumber);
  }
}

/**
 * Value of a half-precision float.
 *
 * @see IEEE 754-2008, section 3.6: 1 sign, 5 exponent and 10 fraction bits.
 */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1_024) * 2 ** (exponent - 15);
}
