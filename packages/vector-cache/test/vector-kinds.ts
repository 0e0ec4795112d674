import { createNormal } from './random.ts';

/** Creates the vectors of one kind of data one by one. */
export type VectorSource = (dimensions: number) => number[];

/** The kinds of data on which searches must be exact. */
export function createVectorKinds(random: () => number): Record<string, VectorSource> {
  const normal = createNormal(random);
  const of = (value: (index: number) => number) => (dimensions: number) =>
    Array.from({ length: dimensions }, (_, index) => value(index));
  const around = (spread: number) => of((index) => Math.sin(index + 1) + spread * normal());
  const earlier: number[][] = [];
  return {
    random: of(normal),
    sparse: of(() => (random() < 0.05 ? normal() : 0)),
    heavyTailed: of(() => normal() / (Math.abs(normal()) ** 3 + 1e-9)),
    clustered: (dimensions) => {
      const cluster = Math.floor(random() * 5) + 1;
      return of((index) => Math.sin(index * cluster) + 0.1 * normal())(dimensions);
    },
    alike: around(1e-3),
    nearlyEqual: around(1e-6),
    anisotropic: of((index) => normal() * Math.exp(-index / 10)),
    allPositive: of(() => Math.abs(normal())),
    tiny: of(() => normal() * 1e-30),
    huge: of(() => normal() * 1e30),
    duplicate: (dimensions) => {
      const known = earlier.filter((vector) => vector.length === dimensions);
      if (known.length > 0 && random() < 0.7) {
        return known[Math.floor(random() * known.length)];
      }
      const vector = of(normal)(dimensions);
      earlier.push(vector);
      if (earlier.length > 20) earlier.shift();
      return vector;
    },
    oftenZero: (dimensions) =>
      random() < 0.4 ? new Array(dimensions).fill(0) : of(normal)(dimensions),
  };
}
