import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { beginsWord, CASED, CODE_UNIT, characterTable, composed, KIND } from './character-table.ts';

const table = characterTable();

describe('characterTable', () => {
  it('is unchanged: a change would alter vectors and require a new embedder version', () => {
    // Without the bits that only say whether to look for compositions.
    const entries = table.map((entry) => entry & (CODE_UNIT | CASED | KIND));
    expect(Bun.SHA256.hash(entries, 'hex')).toBe(
      '48f13aee5001092c4dd5e6a30144a7a2041126d0c4c33a542bcf63ce46c012e5',
    );
  });
});

describe('beginsWord', () => {
  it.each<[string, number[], number[]]>([
    ['a separator of ASCII', [0x00, 0x20, 0x2f, 0x3a, 0x60, 0x7f], [0x30, 0x5a, 0x5f, 0x61, 0x7a]],
    ['not after any other separator', [], [0x80, 0xa9, 0x2010, 0x3001]],
    ['an ideograph that does not compose', [0x3005, 0x3098, 0x309d, 0x4e00, 0x9fff], [0x3099]],
    ['a syllable of Hangul', [0xac00, 0xd7a3], [0x1100, 0x1175]],
    ['half-width kana', [0xff66, 0xff9f], [0xffa0]],
    ['not before a character that may compose', [], [0xe01, 0x1000, 0x1780, 0x2e80, 0xf900]],
    ['the first half of a pictograph', [0xd83d, 0xd83e], [0xd800, 0xd83c, 0xd83f, 0xdc00, 0xdfff]],
    ['the first half of a rare ideograph', [0xd840, 0xd850, 0xd869], [0xd83f, 0xd86a]],
  ])('is true of %s', (_, beginning, others) => {
    expect(beginning.filter((code) => !beginsWord(code))).toEqual([]);
    expect(others.filter(beginsWord)).toEqual([]);
  });
});

describe('composed', () => {
  it('splits sequences of more than thirty combining marks', () => {
    const marks = '\u0301'.repeat(61);
    const joined = [30, 30, 1].map((count) => '\u0301'.repeat(count)).join('\u034f');
    expect(composed(`x${marks}`)).toBe(`x${joined}`.normalize('NFC'));
    expect(composed(`x${'\u0301'.repeat(29)}`)).toBe(`x${'\u0301'.repeat(29)}`.normalize('NFC'));
  });

  it('composes text without any Latin letter', () => {
    // The parts of the first Hangul syllable.
    expect(composed('\u1100\u1161')).toBe('\uac00');
    expect(composed('\u0301')).toBe('\u0301');
  });

  it('is NFC for any text in the basic plane', () => {
    // Supplementary characters stay unchanged unless something else requires composition.
    const basicCharacter = fc
      .integer({ min: 0, max: 0xf7ff })
      .map((code) => String.fromCharCode(code < 0xd800 ? code : code + 0x800));
    fc.assert(
      fc.property(fc.string({ unit: basicCharacter }), (text) => {
        expect(composed(text)).toBe(text.normalize('NFC'));
      }),
    );
  });

  it('is NFC for every single code unit and for a letter before it', () => {
    for (let code = 0; code < 0xd800; code++) {
      const text = `e${String.fromCharCode(code)}`;
      if (composed(text) !== text.normalize('NFC')) throw new Error(code.toString(16));
    }
  });

  it('looks for compositions wherever a character may compose with another', () => {
    // Marks and the parts of Hangul syllables compose with what precedes them.
    const composes = /[\p{M}\u1100-\u11ff]/u;
    // These tone marks stay in the order in which they were typed.
    const isToneMark = (code: number): boolean => code >= 0x302a && code <= 0x302f;
    for (let code = 0; code < 0xd800; code++) {
      const text = String.fromCharCode(code);
      const mayChange = composes.test(text) || text.normalize('NFC') !== text;
      const isSkipped = (table[code] & ~(CODE_UNIT | CASED | KIND)) === 0;
      if (isSkipped && mayChange && !isToneMark(code)) throw new Error(code.toString(16));
    }
  });
});
