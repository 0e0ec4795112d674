/** Bits of an entry that hold the code unit in lower case, full-width Latin as ASCII. */
export const CODE_UNIT = 0xffff;
/** Set when the code unit is a capital. */
export const CASED = 0x1_0000;
/** Bits of an entry for the kind of the code unit; 0 for a separator. */
export const KIND = 0x6_0000;
/** A letter, digit or combining mark. */
export const LETTER = 0x2_0000;
/** A character of a script without spaces, which is a word. */
const IDEOGRAPH = 0x4_0000;
/** Half of a character beyond U+FFFF. */
export const SURROGATE = 0x6_0000;
/** Set if canonical composition may change the code unit or the one before it. */
const COMPOSES = 0x8_0000;

/** One entry per code unit, with the bits above. */
export type CharacterTable = Uint32Array;

/**
 * Inclusive ranges of separators from U+0080 on; all other code units count as letters. Frozen here,
 * because the tables of engines grow with each version of Unicode, which would change vectors.
 */
const SEPARATOR_RANGES: readonly number[] = [
  0x0080, 0x00a9, 0x00ab, 0x00b1, 0x00b4, 0x00b4, 0x00b6, 0x00b8, 0x00bb, 0x00bf, 0x00d7, 0x00d7,
  0x00f7, 0x00f7, 0x02c2, 0x02c5, 0x02d2, 0x02df, 0x037e, 0x037e, 0x0387, 0x0387, 0x055a, 0x055f,
  0x0589, 0x058a, 0x05be, 0x05be, 0x05c0, 0x05c0, 0x05c3, 0x05c3, 0x05f3, 0x05f4, 0x060c, 0x060d,
  0x061b, 0x061f, 0x066a, 0x066d, 0x06d4, 0x06d4, 0x0964, 0x0965, 0x0e3f, 0x0e3f, 0x0e4f, 0x0e4f,
  0x0e5a, 0x0e5b, 0x1680, 0x1680, 0x2000, 0x206f, 0x207a, 0x207e, 0x208a, 0x208e, 0x20a0, 0x20cf,
  0x20dd, 0x20e0, 0x20e2, 0x20e4, 0x2190, 0x2bff, 0x2e00, 0x2e2e, 0x2e30, 0x2e7f, 0x3000, 0x3004,
  0x3008, 0x3020, 0x3030, 0x3030, 0x303d, 0x303f, 0x309b, 0x309c, 0x30a0, 0x30a0, 0x30fb, 0x30fb,
  0xe000, 0xf8ff, 0xfe00, 0xfe6f, 0xfeff, 0xfeff, 0xff00, 0xff0f, 0xff1a, 0xff20, 0xff3b, 0xff40,
  0xff5b, 0xff65, 0xffe0, 0xffff,
];

/**
 * Scripts without spaces: CJK ideographs, kana, Bopomofo, Thai, Lao, Myanmar, Khmer; and Hangul,
 * whose words carry their particles.
 */
const IDEOGRAPH_RANGES: readonly number[] = [
  0x0e01, 0x0e3a, 0x0e40, 0x0e4e, 0x0e81, 0x0edf, 0x1000, 0x109f, 0x1780, 0x17d3, 0x2e80, 0x2fdf,
  0x3005, 0x3007, 0x3021, 0x302f, 0x3031, 0x303c, 0x3041, 0x309a, 0x309d, 0x309f, 0x30a1, 0x30fa,
  0x30fc, 0x31bf, 0x31f0, 0x31ff, 0x3400, 0x4dbf, 0x4e00, 0x9fff, 0xac00, 0xd7a3, 0xf900, 0xfaff,
  0xff66, 0xff9f,
];

/**
 * Inclusive ranges above U+02FF in which every character is its own composition, whatever precedes it: Greek,
 * Cyrillic, Vietnamese, punctuation, arrows, symbols, boxes and East Asian scripts.
 */
const COMPOSED_RANGES: readonly number[] = [
  0x03a3, 0x0482, 0x048a, 0x052f, 0x1e00, 0x1eff, 0x2002, 0x2064, 0x2070, 0x20c0, 0x2100, 0x2125,
  0x212c, 0x2328, 0x232b, 0x2adb, 0x2add, 0x2b73, 0x3001, 0x3098, 0x309b, 0x9fff, 0xac00, 0xd7a3,
  0xd800, 0xf8ff, 0xff01, 0xffee,
];

let table: CharacterTable | undefined;

/** The table, built on first use. */
export function characterTable(): CharacterTable {
  table ??= buildTable();
  return table;
}

function buildTable(): CharacterTable {
  const built = new Uint32Array(0x10000).fill(LETTER, 0x80);
  // Digits, letters and the underscore, which holds identifiers together.
  fillRanges(built, [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a], LETTER);
  fillRanges(built, SEPARATOR_RANGES, 0);
  fillRanges(built, IDEOGRAPH_RANGES, IDEOGRAPH);
  fillRanges(built, [0xd800, 0xdfff], SURROGATE);
  const folded = foldedCodeUnits();
  const composes = new Uint32Array(0x10000).fill(COMPOSES, 0x300);
  fillRanges(composes, COMPOSED_RANGES, 0);
  for (let code = 0; code < built.length; code++) {
    const lower = folded[code];
    // Full-width forms fold to smaller numbers without being capitals.
    const cased = lower > code ? CASED : 0;
    built[code] = built[code] | cased | lower | composes[code];
  }
  return built;
}

function fillRanges(built: CharacterTable, ranges: readonly number[], value: number): void {
  for (let i = 0; i < ranges.length; i += 2) {
    built.fill(value, ranges[i], ranges[i + 1] + 1);
  }
}

function foldedCodeUnits(): Uint16Array {
  const folded = new Uint16Array(0x10000);
  for (let code = 0; code < folded.length; code++) folded[code] = code;
  const shift = (from: number, to: number, distance: number): void => {
    for (let code = from; code <= to; code++) folded[code] = code + distance;
  };
  const pairs = (from: number, to: number): void => {
    for (let code = from; code < to; code += 2) folded[code] = code + 1;
  };
  shift(0x41, 0x5a, 0x20);
  shift(0xc0, 0xd6, 0x20);
  shift(0xd8, 0xde, 0x20);
  pairs(0x100, 0x12f);
  folded[0x130] = 0x69;
  pairs(0x132, 0x137);
  pairs(0x139, 0x148);
  pairs(0x14a, 0x177);
  folded[0x178] = 0xff;
  pairs(0x179, 0x17e);
  // Azerbaijani and Vietnamese letters outside the rows of pairs.
  folded[0x18f] = 0x259;
  folded[0x1a0] = 0x1a1;
  folded[0x1af] = 0x1b0;
  pairs(0x1cd, 0x1dc);
  pairs(0x1de, 0x1ef);
  pairs(0x1f8, 0x21f);
  pairs(0x222, 0x233);
  folded[0x386] = 0x3ac;
  shift(0x388, 0x38a, 0x25);
  folded[0x38c] = 0x3cc;
  shift(0x38e, 0x38f, 0x3f);
  shift(0x391, 0x3a1, 0x20);
  shift(0x3a3, 0x3ab, 0x20);
  folded[0x3c2] = 0x3c3;
  shift(0x400, 0x40f, 0x50);
  shift(0x410, 0x42f, 0x20);
  pairs(0x460, 0x481);
  pairs(0x48a, 0x4bf);
  folded[0x4c0] = 0x4cf;
  pairs(0x4c1, 0x4ce);
  pairs(0x4d0, 0x52f);
  shift(0x531, 0x556, 0x30);
  pairs(0x1e00, 0x1e95);
  pairs(0x1ea0, 0x1eff);
  // Full-width digits and letters to ASCII.
  shift(0xff10, 0xff19, -0xfee0);
  shift(0xff21, 0xff3a, -0xfee0 + 0x20);
  shift(0xff41, 0xff5a, -0xfee0);
  return folded;
}

/**
 * Whether a cut before this code unit changes no word, accent or emoji: an ASCII separator, a character
 * of a script without spaces that does not compose with the one before, or the first half of a
 * pictograph or rare ideograph.
 */
export function beginsWord(code: number): boolean {
  if (code >= 0xd800 && code <= 0xdfff) {
    return code === 0xd83d || code === 0xd83e || (code >= 0xd840 && code <= 0xd869);
  }
  const entry = characterTable()[code];
  const kind = entry & KIND;
  return code < 0x80 ? kind === 0 : kind === IDEOGRAPH && (entry & COMPOSES) === 0;
}

/**
 * Canonical composition (NFC), so that é is one letter however it was typed. Returns a text at once if
 * nothing in it composes.
 */
export function composed(text: string): string {
  const entries = characterTable();
  for (let i = 0; i < text.length; i++) {
    if ((entries[text.charCodeAt(i)] & COMPOSES) !== 0) return boundMarks(text).normalize('NFC');
  }
  return text;
}

/**
 * Bounds the number of marks on one letter to more than any language uses. Engines sort them in quadratic time; a
 * grapheme joiner after each thirty bounds that.
 *
 * @see https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
function boundMarks(text: string): string {
  return text.replace(/\p{Mn}{30}/gu, '$&\u034f');
}
