/** Longer names are cut: a recording may hold anything as an id. */
const MOST_CHARACTERS = 300;

// Controls, and marks that reorder what stands around them.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text of a recording as it may stand on the page: bounded, its lines joined, and with a sign in
 * the place of every control character.
 */
export function plainText(text: string, most: number = MOST_CHARACTERS): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return cut.replaceAll(/[\s\u2028\u2029]+/g, ' ').replace(UNPRINTABLE, '\ufffd');
}

/** A text within HTML, as an element's content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
