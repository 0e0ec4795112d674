import { type CharacterTables, IDEOGRAPH, SEPARATOR } from './character-classes.ts';
import type { FeatureCounts } from './feature-counts.ts';

const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;
const PAIR_MULTIPLIER = 0x9e3779b1;

/**
 * Counts the words of a text and its pairs of neighbouring words, as 32-bit FNV-1a hashes over
 * lower-case code units. In scripts without spaces each character is a word.
 */
export function countFeatures(text: string, tables: CharacterTables, counts: FeatureCounts): void {
  const { classOf, folded } = tables;
  let previous = 0;
  let hash = HASH_START;
  let inWord = false;
  const endWord = (): void => {
    counts.add(mix(hash));
    if (previous !== 0) counts.add(mix(Math.imul(previous, PAIR_MULTIPLIER) ^ hash));
    previous = hash;
    hash = HASH_START;
    inWord = false;
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = classOf[code] as number;
    if (kind === SEPARATOR) {
      if (inWord) endWord();
      continue;
    }
    if (kind === IDEOGRAPH && inWord) endWord();
    hash = Math.imul(hash ^ (folded[code] as number), HASH_PRIME);
    inWord = true;
    if (kind === IDEOGRAPH) endWord();
  }
  if (inWord) endWord();
}

/** Spreads a hash over all its bits (the finaliser of MurmurHash3). */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
