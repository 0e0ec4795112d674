import { describe, expect, it } from 'bun:test';
import { embedInKernel } from './feature-kernel.ts';
import { LexicalFeatures } from './features.ts';
import { COMMON_WORDS } from './generated/common-word-list.ts';

/** A word in lower case, as it is hashed, and whether it is capitalised in the text. */
type Word = string | readonly [hashed: string, isCased: boolean];

/** 32-bit FNV-1a over the code units, computed with BigInt. */
function hashOf(word: string): bigint {
  let hash = 0x811c9dc5n;
  for (let i = 0; i < word.length; i++) {
    hash = ((hash ^ BigInt(word.charCodeAt(i))) * 0x01000193n) & 0xffff_ffffn;
  }
  return hash;
}

/** The finaliser of MurmurHash3; a feature is never 0. */
function featureOf(hash: bigint): number {
  let mixed = hash ^ (hash >> 16n);
  mixed = (mixed * 0x85ebca6bn) & 0xffff_ffffn;
  mixed ^= mixed >> 13n;
  mixed = (mixed * 0xc2b2ae35n) & 0xffff_ffffn;
  mixed ^= mixed >> 16n;
  return Number(mixed) || 1;
}

const FACTORS = new Map(
  [...COMMON_WORDS.matchAll(/(\w+) (\d+)/g)].map(([, word, factor]) => [
    word,
    Number(factor) / 1000,
  ]),
);

/** Reference implementation of the class documentation with a map as the table. */
function vectorOf(words: readonly Word[], dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions);
  let counted = new Map<number, { count: number; weight: number }>();
  const addUp = () => {
    for (const [feature, { count, weight }] of counted) {
      const power = 2 ** Math.floor(Math.log2(count));
      const value = weight * (1 + Math.log(power) + Math.LN2 * (count / power - 1));
      const at = Math.floor((Math.floor(feature / 2) / 2 ** 31) * dimensions);
      sums[at] = sums[at] + (feature % 2 === 0 ? value : -value);
    }
    counted = new Map();
  };
  const count = (hash: bigint, weight: number) => {
    const feature = featureOf(hash);
    const found = counted.get(feature);
    if (found !== undefined) found.count++;
    else counted.set(feature, { count: 1, weight });
    if (counted.size === 16_384) addUp();
  };
  for (const [position, word] of words.entries()) {
    const [text, isCased] = typeof word === 'string' ? [word, false] : word;
    const weight = Math.max(0.1, 1 / Math.sqrt(1 + position / 8)) * (isCased ? 1.5 : 1);
    count(hashOf(text), weight * (FACTORS.get(text) ?? 1));
  }
  addUp();
  const length = Math.hypot(...sums);
  return Float32Array.from(sums, (sum) => (length === 0 ? 0 : sum / length));
}

function readInTypeScript(text: string, dimensions = 384): Float32Array {
  const features = new LexicalFeatures(dimensions);
  features.read(text);
  return features.finish();
}

function readInKernel(text: string, dimensions = 384): Float32Array {
  const vector = embedInKernel(text, dimensions);
  if (vector === undefined) throw new Error('the kernel refused a text');
  return vector;
}

function expectAlike(vector: Float32Array, expected: Float32Array): void {
  const differences = vector.map((value, d) => Math.abs(value - expected[d]));
  expect(Math.max(...differences)).toBeLessThan(1e-6);
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `w${i}`);

describe.each([
  ['LexicalFeatures', readInTypeScript],
  ['the kernel', readInKernel],
])('%s', (_, read) => {
  it.each<[string, string, Word[]]>([
    ['words', 'fix the parser', ['fix', 'the', 'parser']],
    ['repeated words', 'a b a b a b a', ['a', 'b', 'a', 'b', 'a', 'b', 'a']],
    ['a capital anywhere in a word', 'to Boston', ['to', ['boston', true]]],
    ['a capital within', 'parseLine(x)', [['parseline', true], 'x']],
    ['a common word with a capital', 'The parser', [['the', true], 'parser']],
    ['digits and underscores', 'x_1 2', ['x_1', '2']],
    ['nothing', ' \n', []],
  ])('matches its documentation: %s', (_, text, words) => {
    for (const dimensions of [1, 7, 384]) {
      expectAlike(read(text, dimensions), vectorOf(words, dimensions));
    }
  });

  it('reduces the weight of a word by its position, down to a tenth', () => {
    const words = numbered(900);
    expectAlike(read(words.join(' ')), vectorOf(words, 384));
  });

  it('keeps its counts when the table grows', () => {
    const words = [...numbered(3_000), ...numbered(3_000), ...numbered(500)];
    expectAlike(read(words.join(' ')), vectorOf(words, 384));
  });

  it('counts in blocks of 16,384 different words', () => {
    const words = [...numbered(17_000), ...numbered(3_000)];
    expectAlike(read(words.join(' ')), vectorOf(words, 384));
  });

  it.each<[string, string[]]>([
    // Flags: two regional letters, U+1F1E6 to U+1F1FF, are one character.
    ['\u{1f1e6}\u{1f1ff}\u{1f1ff}\u{1f1e6}', ['\u{1f1e6}\u{1f1ff}', '\u{1f1ff}\u{1f1e6}']],
    ['\u{1f1e5}\u{1f1e6}', ['\u{1f1e5}', '\u{1f1e6}']],
    ['\u{1f1e6}\u{1f1e5}', ['\u{1f1e6}', '\u{1f1e5}']],
    ['\u{1f1ff}\u{1f200}', ['\u{1f1ff}', '\u{1f200}']],
    ['\u{1f200}\u{1f1ff}', ['\u{1f200}', '\u{1f1ff}']],
    ['\u{1f1e6}', ['\u{1f1e6}']],
    // Tags, U+E0020 to U+E007F, belong only to a black flag.
    ['\u{1f3f4}\u{e0020}\u{e007f}a', ['\u{1f3f4}\u{e0020}\u{e007f}', 'a']],
    ['\u{1f3f4}\u{e001f}', ['\u{1f3f4}']],
    ['\u{1f3f4}\u{e0080}', ['\u{1f3f4}']],
    ['\u{1f600}\u{e0020}', ['\u{1f600}']],
    // Modifiers of other characters do not count: skin tones and U+E0000 to U+E0FFF.
    ['a\u{1f3fb}\u{1f3ff}b', ['a', 'b']],
    ['\u{1f3fa}\u{1f400}', ['\u{1f3fa}', '\u{1f400}']],
    ['a\u{e0000}\u{e0fff}b', ['a', 'b']],
    ['\u{dffff}\u{e1000}', ['\u{dffff}', '\u{e1000}']],
    // From U+10000 on, two code units are one character; an unpaired half also counts as a
    // character.
    ['\u{10000}', ['\u{10000}']],
    ['\ud800a\udc00', ['\ud800', 'a', '\udc00']],
    ['𠮷野家', ['𠮷', '野', '家']],
  ])('treats each character as a word in scripts without spaces: %j', (text, words) => {
    expectAlike(read(text), vectorOf(words, 384));
  });
});

describe('LexicalFeatures', () => {
  it('continues after each piece and resets after finishing', () => {
    const features = new LexicalFeatures(384);
    features.read('fix the ');
    features.read('parser');
    expectAlike(features.finish(), vectorOf(['fix', 'the', 'parser'], 384));
    features.read('then test');
    expectAlike(features.finish(), vectorOf(['then', 'test'], 384));
  });
});
