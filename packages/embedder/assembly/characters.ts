// The characters beyond U+FFFF, which are two code units.
import { CHARACTERS } from './memory';

/** Bits of an entry in the table of characters: see character-table.ts. */
export const CODE_UNIT: i32 = 0xffff;
export const CASED: i32 = 0x1_0000;
export const KIND: i32 = 0x6_0000;
export const LETTER: i32 = 0x2_0000;
export const SURROGATE: i32 = 0x6_0000;
const COMPOSES: i32 = 0x8_0000;

const BLACK_FLAG: i32 = 0x1f3f4;

/** Returns the entry of the code unit at an address. */
export function entryAt(at: usize): i32 {
  return load<i32>(CHARACTERS + ((<usize>load<u16>(at)) << 2));
}

/** Whether any code unit in `[at, end)` may compose with its neighbours. */
export function mayCompose(at: usize, end: usize): bool {
  const none = i16x8.splat(0x2ff);
  // Most texts have no code unit above U+02FF in most groups of eight.
  for (; at + 16 <= end; at += 16) {
    if (v128.any_true(i16x8.gt_u(v128.load(at), none)) && composesIn(at, at + 16)) return true;
  }
  return composesIn(at, end);
}

function composesIn(at: usize, end: usize): bool {
  for (; at < end; at += 2) if ((entryAt(at) & COMPOSES) !== 0) return true;
  return false;
}

/** Returns the code point at an address, or the half of one; -1 at the end. */
export function codePointAt(at: usize, end: usize): i32 {
  if (at >= end) return -1;
  const unit = <i32>load<u16>(at);
  if ((unit & 0xfc00) !== 0xd800 || at + 2 >= end) return unit;
  const next = <i32>load<u16>(at, 2);
  return (next & 0xfc00) === 0xdc00 ? 0x1_0000 + ((unit & 0x3ff) << 10) + (next & 0x3ff) : unit;
}

/** Returns the end of the character that begins with this code point: see features.ts. */
export function graphemeEnd(at: usize, end: usize, code: i32): usize {
  const after = at + 4;
  if (isRegional(code)) return isRegional(codePointAt(after, end)) ? after + 4 : after;
  if (code !== BLACK_FLAG) return after;
  let tags = after;
  while (isTag(codePointAt(tags, end))) tags += 4;
  return tags;
}

function isRegional(code: i32): bool {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

function isTag(code: i32): bool {
  return code >= 0xe0020 && code <= 0xe007f;
}

/** Whether a code point changes the appearance of another character. */
export function isModifier(code: i32): bool {
  return (code >= 0x1f3fb && code <= 0x1f3ff) || (code >= 0xe0000 && code <= 0xe0fff);
}
