import { expect, it } from 'bun:test';
import { countWords } from './word-vectors.ts';

it.each([
  ['letters, digits and underscores', "Don't ship W_12, Ship!", 'don 1, t 1, ship 2, w_12 1'],
  ['pairs of characters where a script has no spaces', '航空券を', '航空 1, 空券 1, 券を 1'],
  ['both, where they meet', '漢字v2 漢字漢字 v2 v2', 'v2 3, 漢字 3, 字漢 1'],
  ['a single character of such a script', '版 版', '版 2'],
  ['composed and decomposed letters as the same', 'cafe\u0301 CAF\u00c9', 'caf\u00e9 2'],
  ['nothing in punctuation', ' , ', ''],
])('countWords counts %s', (_, text, counts) => {
  const counted = [...countWords(text)].map(([word, count]) => `${word} ${count}`);
  expect(counted.join(', ')).toBe(counts);
});
