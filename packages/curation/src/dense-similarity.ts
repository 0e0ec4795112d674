import { CurationInputError } from './errors.ts';

/**
 * The cosine similarity of the runs at two places, in float64. A product is summed in one fixed
 * order, so that a pair has the same similarity from both sides and in every corpus.
 *
 * @returns a function of two places: in [-1, 1]; 1 of a run to itself, 0 of zeros to all others.
 * @throws {@link CurationInputError} when the vectors differ in length or a number is not finite.
 */
export function createDenseSimilarity(
  vectors: readonly Float32Array[],
  order: Uint32Array,
): (place: number, other: number) => number {
  const dimensions = vectors[0]?.length ?? 0;
  const inverseNorms = Float64Array.from(order, (run) => {
    const vector = vectors[run] as Float32Array;
    checkVector(vector, run, dimensions);
    const norm = Math.sqrt(dot(vector, vector));
    if (!Number.isFinite(norm)) {
      throw new CurationInputError(`vectors[${run}]`, 'finite numbers', 'one that is not');
    }
    return norm === 0 ? 0 : 1 / norm;
  });
  return (place, other) => {
    if (place === other) return 1;
    const first = vectors[order[place] as number] as Float32Array;
    const second = vectors[order[other] as number] as Float32Array;
    const scale = (inverseNorms[place] as number) * (inverseNorms[other] as number);
    return Math.min(1, Math.max(-1, dot(first, second) * scale));
  };
}

function checkVector(vector: Float32Array, run: number, dimensions: number): void {
  if (!(vector instanceof Float32Array)) {
    throw new CurationInputError(`vectors[${run}]`, 'a Float32Array', typeof vector);
  }
  if (vector.length === dimensions) return;
  throw new CurationInputError(
    `vectors[${run}]`,
    `${dimensions} numbers as the first vector has (one embedder for all runs)`,
    vector.length,
  );
}

function dot(a: Float32Array, b: Float32Array): number {
  const { length } = a;
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  let index = 0;
  for (; index + 3 < length; index += 4) {
    sum0 += (a[index] as number) * (b[index] as number);
    sum1 += (a[index + 1] as number) * (b[index + 1] as number);
    sum2 += (a[index + 2] as number) * (b[index + 2] as number);
    sum3 += (a[index + 3] as number) * (b[index + 3] as number);
  }
  for (; index < length; index++) sum0 += (a[index] as number) * (b[index] as number);
  return sum0 + sum2 + (sum1 + sum3);
}
