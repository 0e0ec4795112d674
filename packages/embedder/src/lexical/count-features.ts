import {
  CASED,
  type CharacterTable,
  CODE_UNIT,
  characterTable,
  IDEOGRAPH,
  KIND,
} from './character-table.ts';
import type { FeatureCounts } from './feature-counts.ts';

/** FNV-1a, 32 bits. http://www.isthe.com/chongo/tech/comp/fnv/ */
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;
/** Keeps a pair apart from its reverse; 2³² over the golden ratio. */
const PAIR_MULTIPLIER = 0x9e3779b1;

/** After this many words a word weighs 1/√2 of what it weighs at the start. */
const HALF_POWER_POSITION = 30;
/** Words further on than 450 weigh the same, so that the end of a long text still counts. */
const LEAST_WEIGHT = 0.25;
/** Extra weight of a word written with a capital: names and codes tell tasks apart. */
const CAPITAL_FACTOR = 1.5;

/**
 * Counts the words of a text and its pairs of neighbouring words, as hashes over lower-case code
 * units. In scripts without spaces each character is a word.
 *
 * A word weighs 1/√(1 + position/30), but at least a quarter, by where it first stands, so that the
 * objective a trace begins with outweighs the boilerplate of long observations without silencing
 * them; half as much again if it has a capital there.
 */
export function countFeatures(text: string, counts: FeatureCounts): void {
  const table: CharacterTable = characterTable();
  let position = 0;
  let previous = 0;
  let hash = HASH_START;
  let cased = 0;
  const endWord = (): void => {
    const factor = cased === 0 ? 1 : CAPITAL_FACTOR;
    const weight =
      factor * Math.max(LEAST_WEIGHT, 1 / Math.sqrt(1 + position / HALF_POWER_POSITION));
    counts.add(mix(hash), weight);
    if (position > 0) counts.add(mix(Math.imul(previous, PAIR_MULTIPLIER) ^ hash), weight);
    position++;
    previous = hash;
    hash = HASH_START;
    cased = 0;
  };
  for (let i = 0; i < text.length; i++) {
    const entry = table[text.charCodeAt(i)] as number;
    const kind = entry & KIND;
    // A word has gone into the hash since the last one ended, unless the hash is at its start.
    if (kind !== 0 && kind !== IDEOGRAPH) {
      hash = Math.imul(hash ^ (entry & CODE_UNIT), HASH_PRIME);
      cased |= entry & CASED;
      continue;
    }
    if (hash !== HASH_START) endWord();
    if (kind === IDEOGRAPH) {
      hash = Math.imul(hash ^ (entry & CODE_UNIT), HASH_PRIME);
      endWord();
    }
  }
  if (hash !== HASH_START) endWord();
}

/** Spreads a hash over all its bits (the finaliser of MurmurHash3). */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
