import {
  CASED,
  type CharacterTable,
  CODE_UNIT,
  characterTable,
  IDEOGRAPH,
  KIND,
  LETTER,
} from './character-table.ts';
import type { FeatureCounts } from './feature-counts.ts';

/** FNV-1a, 32 bits. http://www.isthe.com/chongo/tech/comp/fnv/ */
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;
/** Keeps a pair apart from its reverse; 2³² over the golden ratio. */
const PAIR_MULTIPLIER = 0x9e3779b1;

/** After this many words a word weighs 1/√2 of what it weighs at the start. */
const HALF_POWER_POSITION = 30;
/** From here on a word weighs a quarter, as here, so that the end of a long text still counts. */
const LEAST_WEIGHT_POSITION = 15 * HALF_POWER_POSITION;
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
  const { length } = text;
  let position = 0;
  let previous = 0;
  for (let i = 0; i < length; ) {
    let entry = table[text.charCodeAt(i++)] as number;
    if ((entry & KIND) === 0) continue;
    let hash = Math.imul(HASH_START ^ (entry & CODE_UNIT), HASH_PRIME);
    let cased = entry & CASED;
    if ((entry & KIND) !== IDEOGRAPH) {
      for (; i < length; i++) {
        entry = table[text.charCodeAt(i)] as number;
        if ((entry & KIND) !== LETTER) break;
        hash = Math.imul(hash ^ (entry & CODE_UNIT), HASH_PRIME);
        cased |= entry;
      }
      cased &= CASED;
    }
    const weight = wordWeight(position, cased !== 0);
    counts.add(mix(hash), weight);
    if (position > 0) counts.add(mix(Math.imul(previous, PAIR_MULTIPLIER) ^ hash), weight);
    position++;
    previous = hash;
  }
}

function wordWeight(position: number, isCased: boolean): number {
  const counted = Math.min(position, LEAST_WEIGHT_POSITION);
  const weight = 1 / Math.sqrt(1 + counted / HALF_POWER_POSITION);
  return isCased ? CAPITAL_FACTOR * weight : weight;
}

/** Spreads a hash over all its bits (the finaliser of MurmurHash3). */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
