const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED_RUN = new RegExp(`${UNSPACED.source}+`, 'gu');

/**
 * Counts the words of a text: lowercase sequences of letters, digits and underscores. In scripts
 * without spaces, each pair of adjacent characters is a word.
 */
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.normalize('NFC').toLowerCase().matchAll(WORD)) {
    if (!UNSPACED.test(word)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      continue;
    }
    for (const spaced of word.split(UNSPACED_RUN)) {
      if (spaced !== '') counts.set(spaced, (counts.get(spaced) ?? 0) + 1);
    }
    for (const [run] of word.matchAll(UNSPACED_RUN)) {
      for (const pair of pairsOf([...run])) counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  }
  return counts;
}

function pairsOf(characters: readonly string[]): readonly string[] {
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
