import { randomVectors } from '../inputs/random.ts';

const OF_ONE_CLUSTER = 50;
/** How far a member is turned away from its centre; two of one cluster then have a cosine of 0.67. */
const SPREAD = 0.7;

/**
 * Unit vectors in clusters of 50, as embeddings of runs of the same task are near each other. Random
 * directions of many dimensions are all about equally far apart, so that hardly a step through a
 * graph of neighbours leads nearer.
 *
 * @param seed - of the members; the same `count` always has the same centres.
 */
export function clusteredVectors(count: number, dimensions: number, seed: number): Float32Array[] {
  return membersOf(centresOf(count, dimensions), randomVectors(count, dimensions, seed));
}

/**
 * New members of the clusters of `count` vectors.
 *
 * @param amount - how many, each in a different cluster as long as there are enough.
 */
export function newMembers(
  amount: number,
  count: number,
  dimensions: number,
  seed: number,
): Float32Array[] {
  return membersOf(centresOf(count, dimensions), randomVectors(amount, dimensions, seed));
}

function centresOf(count: number, dimensions: number): Float32Array[] {
  return randomVectors(Math.ceil(count / OF_ONE_CLUSTER), dimensions, -count);
}

function membersOf(
  centres: readonly Float32Array[],
  directions: readonly Float32Array[],
): Float32Array[] {
  return directions.map((direction, i) => {
    const centre = centres[i % centres.length] as Float32Array;
    const member = centre.map((value, at) => value + SPREAD * (direction[at] as number));
    const length = Math.hypot(...member);
    return member.map((value) => value / length);
  });
}
