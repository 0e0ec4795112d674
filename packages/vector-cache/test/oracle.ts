/**
 * Computes the cosine in float64 from the given numbers, with scaling against overflow. Shares no
 * code with the cache.
 */
export function oracleCosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const x = scaled(a);
  const y = scaled(b);
  let product = 0;
  for (let index = 0; index < x.length; index++) {
    product += x[index] * y[index];
  }
  const norms = norm(x) * norm(y);
  return norms === 0 ? 0 : product / norms;
}

function scaled(vector: ArrayLike<number>): number[] {
  const values = Array.from(vector);
  const greatest = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return greatest === 0 ? values : values.map((value) => value / greatest);
}

function norm(values: number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
}
