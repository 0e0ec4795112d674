/** Longer names are cut: a recording may hold anything as an id. */
const MOST_CHARACTERS = 300;

const ESCAPE = '\u001b';
// Controls, and marks that reorder what stands around them.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
// The same, but for tabs and line feeds.
const UNPRINTABLE_IN_BLOCK =
  /(?![\t\n])[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
// Colours and cursor movements of terminals, which the outputs of commands are full of.
const TERMINAL_CODES = new RegExp(String.raw`${ESCAPE}\[[\d;?]*[A-Za-z]`, 'g');

/**
 * A text of a recording as it may stand on the page: bounded, its lines joined, and with a sign in
 * the place of every control character.
 */
export function plainText(text: string, most: number = MOST_CHARACTERS): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return cut.replaceAll(/[\s\u2028\u2029]+/g, ' ').replace(UNPRINTABLE, '\ufffd');
}

/** A text of several lines as it may stand on the page; terminal colours are left out. */
export function blockText(text: string): string {
  return text
    .replace(TERMINAL_CODES, '')
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNPRINTABLE_IN_BLOCK, '\ufffd');
}

/** A text within HTML, as an element's content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
