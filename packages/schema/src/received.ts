const TEXT_SHOWN = 60;

/**
 * A short description of a value for an error message: text in quotes (the first 60 characters),
 * numbers and booleans as they are, the kind of everything else.
 */
export function describeReceived(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return describeText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

function describeText(text: string): string {
  if (text.length <= TEXT_SHOWN) return JSON.stringify(text);
  // Cutting between the halves of a surrogate pair would show half a character.
  const shown = text.slice(0, TEXT_SHOWN).replace(/[\uD800-\uDBFF]$/, '');
  return `${JSON.stringify(shown)}… (${text.length} characters)`;
}
