import { randomVectors } from '../inputs/random-vectors.ts';

/**
 * Loops of a fixed amount of work that is none of ours. A machine that is slower, or busier, takes
 * longer for them in about the same proportion as for what they stand beside, so that a ratio to
 * them says more than a time.
 */
export type ReferenceName = 'objects' | 'floats';

export const REFERENCE_LOOPS: Readonly<Record<ReferenceName, () => number>> = {
  objects: walkObjects,
  floats: multiplyFloats,
};

interface Item {
  readonly kind: string;
  readonly size: number;
  readonly part?: { readonly name: string };
}

const KINDS = ['red', 'green', 'blue', 'yellow'];
const ITEMS: readonly Item[] = Array.from({ length: 512 }, (_, index) => {
  const kind = KINDS[(index * 7) % 4] ?? '';
  return index % 3 === 0
    ? { kind, size: index / 512, part: { name: `part ${index % 5}` } }
    : { kind, size: index / 512 };
});
const VECTORS = randomVectors(33, 384, 1);

/** Reads fields of small objects and compares their texts: what scoring and validation do. */
function walkObjects(): number {
  let sum = 0;
  let latest = '';
  for (const item of ITEMS) {
    if (item.kind === 'green' || item.kind === 'yellow') sum += item.size;
    const name = item.part?.name;
    if (name !== undefined && name !== latest) {
      latest = name;
      sum += name.length;
    }
  }
  return sum;
}

/** Multiplies float32 values and adds them up: what comparing and embedding do. */
function multiplyFloats(): number {
  const query = VECTORS[0] as Float32Array;
  let best = 0;
  for (let row = 1; row < VECTORS.length; row++) {
    const vector = VECTORS[row] as Float32Array;
    let sum = 0;
    for (let index = 0; index < vector.length; index++) {
      sum += (vector[index] as number) * (query[index] as number);
    }
    if (sum > best) best = sum;
  }
  return best;
}
