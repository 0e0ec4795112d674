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
