import { CurationInputError } from './errors.ts';
import type { SimilarityRows } from './nearest-lists.ts';

/**
 * Vectors by place, and their cosine similarities in float64. A product is summed in one fixed
 * order, so that a pair has the same similarity from both sides and in every corpus.
 *
 * @throws {@link CurationInputError} when the vectors differ in length or a number is not finite.
 */
export function createDenseRows(
  vectors: readonly ArrayLike<number>[],
  order: Uint32Array,
): SimilarityRows {
  const size = vectors.length;
  const dimensions = vectors[0]?.length ?? 0;
  const stride = Math.ceil(dimensions / 4) * 4;
  const matrix = new Float32Array(size * stride);
  const inverseNorms = new Float64Array(size);
  for (let place = 0; place < size; place++) {
    const run = order[place] as number;
    const vector = vectors[run] as ArrayLike<number>;
    checkVector(vector, run, dimensions);
    matrix.set(vector, place * stride);
    const norm = Math.sqrt(dot(matrix, place * stride, place * stride, stride));
    if (!Number.isFinite(norm)) {
      throw new CurationInputError(`vectors[${run}]`, 'finite numbers', 'one that is not');
    }
    inverseNorms[place] = norm === 0 ? 0 : 1 / norm;
  }
  const similarity = (a: number, b: number): number => {
    if (a === b) return 1;
    const product = dot(matrix, a * stride, b * stride, stride);
    const cosine = product * ((inverseNorms[a] as number) * (inverseNorms[b] as number));
    return Math.min(1, Math.max(-1, cosine));
  };
  return {
    size,
    similarity,
    fillRow(place, target) {
      for (let other = 0; other < size; other++) target[other] = similarity(place, other);
    },
  };
}

function checkVector(vector: ArrayLike<number>, run: number, dimensions: number): void {
  if (typeof vector?.length !== 'number') {
    throw new CurationInputError(`vectors[${run}]`, 'a Float32Array', typeof vector);
  }
  if (vector.length === dimensions) return;
  throw new CurationInputError(
    `vectors[${run}]`,
    `${dimensions} numbers as the first vector has (one embedder for all runs)`,
    vector.length,
  );
}

function dot(matrix: Float32Array, a: number, b: number, length: number): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  for (let index = 0; index < length; index += 4) {
    sum0 += (matrix[a + index] as number) * (matrix[b + index] as number);
    sum1 += (matrix[a + index + 1] as number) * (matrix[b + index + 1] as number);
    sum2 += (matrix[a + index + 2] as number) * (matrix[b + index + 2] as number);
    sum3 += (matrix[a + index + 3] as number) * (matrix[b + index + 3] as number);
  }
  return sum0 + sum2 + (sum1 + sum3);
}
