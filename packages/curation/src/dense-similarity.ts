import { CurationInputError } from './errors.ts';

/** Similarities of runs by place. */
export interface PairSimilarity {
  /**
   * In [-1, 1]; 1 of a run to itself, 0 of zeros to all others.
   *
   * @param place - the place of one run.
   * @param other - the place of the other run.
   */
  similarityAt(place: number, other: number): number;
  /**
   * Writes the similarities of every place among the first half of `places` to every one among the
   * second half into `target`; all places differ.
   *
   * @param places - an even number of them.
   * @param target - a row for each place of the first half.
   */
  fillTile(places: Uint32Array, target: Float64Array): void;
}

/** Places in a tile: each is read once for so many products. */
export const TILE_PLACES = 80;

/**
 * Cosine similarities in float64. A product is summed in one fixed order, so that a pair has the
 * same similarity from both sides and in every corpus.
 *
 * @throws {@link CurationInputError} when the vectors differ in length or a number is not finite.
 */
export function createDenseSimilarity(
  vectors: readonly Float32Array[],
  order: Uint32Array,
): PairSimilarity {
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
  const vectorAt = (place: number): Float32Array => vectors[order[place] as number] as Float32Array;
  const toCosine = (product: number, place: number, other: number): number => {
    const scale = (inverseNorms[place] as number) * (inverseNorms[other] as number);
    return Math.min(1, Math.max(-1, product * scale));
  };
  let rows: Float64Array | undefined;
  return {
    similarityAt: (place, other) =>
      place === other ? 1 : toCosine(dot(vectorAt(place), vectorAt(other)), place, other),
    fillTile(places, target) {
      rows ??= new Float64Array(TILE_PLACES * dimensions);
      for (let row = 0; row < TILE_PLACES; row++) {
        rows.set(vectorAt(places[row] as number), row * dimensions);
      }
      fillProducts(rows, dimensions, target);
      const half = TILE_PLACES / 2;
      for (let row = 0; row < half; row++) {
        for (let column = 0; column < half; column++) {
          const at = row * half + column;
          const other = places[half + column] as number;
          target[at] = toCosine(target[at] as number, places[row] as number, other);
        }
      }
    },
  };
}

/**
 * Products of each row of the first half with each of the second, four by four: a load for every two
 * products, which takes half the time of one by one (measured).
 */
function fillProducts(rows: Float64Array, length: number, target: Float64Array): void {
  const half = TILE_PLACES / 2;
  for (let first = 0; first < half; first += 4) {
    for (let second = 0; second < half; second += 4) {
      const a = first * length;
      const b = (half + second) * length;
      let sum00 = 0;
      let sum01 = 0;
      let sum02 = 0;
      let sum03 = 0;
      let sum10 = 0;
      let sum11 = 0;
      let sum12 = 0;
      let sum13 = 0;
      let sum20 = 0;
      let sum21 = 0;
      let sum22 = 0;
      let sum23 = 0;
      let sum30 = 0;
      let sum31 = 0;
      let sum32 = 0;
      let sum33 = 0;
      for (let index = 0; index < length; index++) {
        const b0 = rows[b + index] as number;
        const b1 = rows[b + length + index] as number;
        const b2 = rows[b + 2 * length + index] as number;
        const b3 = rows[b + 3 * length + index] as number;
        const a0 = rows[a + index] as number;
        sum00 += a0 * b0;
        sum01 += a0 * b1;
        sum02 += a0 * b2;
        sum03 += a0 * b3;
        const a1 = rows[a + length + index] as number;
        sum10 += a1 * b0;
        sum11 += a1 * b1;
        sum12 += a1 * b2;
        sum13 += a1 * b3;
        const a2 = rows[a + 2 * length + index] as number;
        sum20 += a2 * b0;
        sum21 += a2 * b1;
        sum22 += a2 * b2;
        sum23 += a2 * b3;
        const a3 = rows[a + 3 * length + index] as number;
        sum30 += a3 * b0;
        sum31 += a3 * b1;
        sum32 += a3 * b2;
        sum33 += a3 * b3;
      }
      const to = first * half + second;
      target[to] = sum00;
      target[to + 1] = sum01;
      target[to + 2] = sum02;
      target[to + 3] = sum03;
      target[to + half] = sum10;
      target[to + half + 1] = sum11;
      target[to + half + 2] = sum12;
      target[to + half + 3] = sum13;
      target[to + 2 * half] = sum20;
      target[to + 2 * half + 1] = sum21;
      target[to + 2 * half + 2] = sum22;
      target[to + 2 * half + 3] = sum23;
      target[to + 3 * half] = sum30;
      target[to + 3 * half + 1] = sum31;
      target[to + 3 * half + 2] = sum32;
      target[to + 3 * half + 3] = sum33;
    }
  }
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
