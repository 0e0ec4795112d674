import { COMMON_WORDS } from './generated/common-word-list.ts';
import { featureOfWord } from './word-hash.ts';

let factors: ReadonlyMap<number, number> | undefined;

/**
 * Maps the feature of each common word to the factor of its weight, 0.141 to 0.8. Such words occur
 * in most runs of any task, so they hardly distinguish tasks.
 */
export function commonWords(): ReadonlyMap<number, number> {
  factors ??= parse(COMMON_WORDS);
  return factors;
}

/** @param list - words, each followed by its factor in thousandths. */
function parse(list: string): ReadonlyMap<number, number> {
  const parts = list.trim().split(/\s+/);
  const parsed = new Map<number, number>();
  for (let at = 0; at < parts.length; at += 2) {
    parsed.set(featureOfWord(parts[at]), Number(parts[at + 1]) / 1000);
  }
  return parsed;
}

/** The factors by feature: an open hash table, which is several times as fast as a `Map` of numbers. */
export interface CommonWordTable {
  /** A feature per slot; 0 if it is empty. */
  readonly features: Int32Array;
  readonly factors: Float64Array;
}

const SLOTS = 1024;
let table: CommonWordTable | undefined;

/** The table of {@link commonWords}, built on first use. */
export function commonWordTable(): CommonWordTable {
  if (table !== undefined) return table;
  const features = new Int32Array(SLOTS);
  const built = { features, factors: new Float64Array(SLOTS) };
  for (const [feature, factor] of commonWords()) {
    let slot = feature & (SLOTS - 1);
    while (features[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    features[slot] = feature;
    built.factors[slot] = factor;
  }
  table = built;
  return built;
}

/** The factor of a feature; 1 if it is not that of a common word. */
export function factorOf({ features, factors }: CommonWordTable, feature: number): number {
  for (let slot = feature & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
    const found = features[slot];
    if (found === feature) return factors[slot];
    if (found === 0) return 1;
  }
}
