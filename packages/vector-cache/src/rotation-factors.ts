/**
 * Signs, each times the scale of the Hadamard transform its coordinate goes through: `length` for
 * the first, which takes in the last `block` coordinates, then `block` for the second.
 */
export function rotationFactors(length: number): Float32Array {
  const block = 2 ** Math.floor(Math.log2(length));
  const scale = 1 / Math.sqrt(block);
  const factors = new Float32Array(length * 2);
  let state = 0x9e3779b9;
  for (let index = 0; index < length + block; index++) {
    // xorshift32 (Marsaglia 2003, "Xorshift RNGs", p. 4); its top bit decides the sign.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    factors[index] = (state < 0 ? -1 : 1) * (index >= length - block ? scale : 1);
  }
  return factors;
}
