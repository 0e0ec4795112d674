import { type ContenderFactory, contenderOf } from './contender.ts';

/** What one writes first: rows in an array, both norms taken again for every pair. */
export const naiveJavaScript: ContenderFactory = async (set) => {
  const { count, dimensions, vectors } = set;
  const rows = Array.from({ length: count }, (_, row) =>
    vectors.slice(row * dimensions, (row + 1) * dimensions),
  );
  return contenderOf('naive JS', set, (query) => {
    let best = -1;
    for (const row of rows) best = Math.max(best, cosine(row, query));
    return best;
  });
};

/** One flat array of unit vectors, four sums at a time. */
export const flatJavaScript: ContenderFactory = async (set) =>
  contenderOf('flat JS, unrolled', set, (query) => {
    const { vectors, dimensions } = set;
    let best = -1;
    for (let start = 0; start < vectors.length; start += dimensions) {
      best = Math.max(best, unrolledProduct(vectors, start, query));
    }
    return best;
  });

function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let index = 0; index < a.length; index++) {
    const x = a[index] as number;
    const y = b[index] as number;
    product += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return product / (Math.sqrt(squaresA) * Math.sqrt(squaresB));
}

function unrolledProduct(rows: Float32Array, start: number, query: Float32Array): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  let index = 0;
  for (; index + 3 < query.length; index += 4) {
    sum0 += (rows[start + index] as number) * (query[index] as number);
    sum1 += (rows[start + index + 1] as number) * (query[index + 1] as number);
    sum2 += (rows[start + index + 2] as number) * (query[index + 2] as number);
    sum3 += (rows[start + index + 3] as number) * (query[index + 3] as number);
  }
  for (; index < query.length; index++) {
    sum0 += (rows[start + index] as number) * (query[index] as number);
  }
  return sum0 + sum1 + (sum2 + sum3);
}
