import type { MemoryAnswer } from '@kp/scoring';
import type { StoredEntry } from '../src/log/log.ts';

/** An answer that a client received, with the key of the entry. */
export interface Acknowledged extends MemoryAnswer {
  readonly key: string;
}

/**
 * Returns a unit vector that is equal on every machine; vectors of different numbers are
 * dissimilar.
 */
export function vectorOf(number: number, dimensions = 8): Float32Array {
  let state = Math.imul(number + 1, 0x9e3779b1);
  const vector = Float32Array.from({ length: dimensions }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5;
    return (state | 0) / 2 ** 31;
  });
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

/**
 * Compares answers with a replay of the log by a plain loop in float64: each entry must exist once,
 * and its answer must follow from the entries before it. Returns the first difference, or
 * undefined.
 */
export function differenceFromReplay(
  log: readonly StoredEntry[],
  acknowledged: readonly Acknowledged[],
): string | undefined {
  const places = new Map<string, number>();
  for (const [place, { key }] of log.entries()) {
    if (places.has(key)) return `${key} is there twice`;
    places.set(key, place);
  }
  for (const { key, nearest, comparedWith } of acknowledged) {
    const place = places.get(key);
    if (place === undefined) return `${key} was acknowledged and is lost`;
    if (comparedWith !== place) return `${key} at ${place} was compared with ${comparedWith}`;
    const own = log[place]?.vector ?? new Float32Array();
    let best = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < place; i++) best = Math.max(best, dot(own, log[i]?.vector ?? own));
    const answer = nearest?.similarity ?? Number.NEGATIVE_INFINITY;
    if (best !== answer && !(Math.abs(best - answer) < 1e-5)) {
      return `${key} at ${place}: expected ${best}, received ${answer}`;
    }
  }
  return undefined;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Returns all entries of a memory in order. */
export async function logOf(memory: {
  entries(): AsyncIterable<StoredEntry>;
}): Promise<StoredEntry[]> {
  const log: StoredEntry[] = [];
  for await (const entry of memory.entries()) log.push(entry);
  return log;
}
