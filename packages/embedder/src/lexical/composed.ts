/**
 * Canonical composition (NFC), so that é is one letter however it was typed. Text that has nothing
 * to compose comes back as it is, without the cost.
 */
export function composed(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x300 && !isComposed(code)) return text.normalize('NFC');
  }
  return text;
}

/** Blocks above U+02FF in which every character is its own composition. */
function isComposed(code: number): boolean {
  return (
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x3001 && code <= 0x3098) ||
    (code >= 0x309b && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xdfff && !(code > 0xd7a3 && code < 0xd800)) ||
    (code >= 0xff01 && code <= 0xffee)
  );
}
