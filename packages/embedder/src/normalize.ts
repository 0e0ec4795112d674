/** Scales a vector to length 1, in place. The zero vector stays as it is. */
export function normalize(vector: Float32Array): void {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] as number;
    sum += value * value;
  }
  if (sum === 0) return;
  const scale = 1 / Math.sqrt(sum);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) * scale;
}
