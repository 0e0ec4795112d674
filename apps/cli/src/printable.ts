/**
 * A text as a terminal may show it: what a recording holds must not move the cursor or set colours,
 * so control characters are shown as escapes.
 */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}
