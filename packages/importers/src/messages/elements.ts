/** An element `<name>…</name>` in a text that is no markup otherwise. */
export interface TextElement {
  readonly name: string;
  /** Index of its first character, and of the one behind its last. */
  readonly start: number;
  readonly end: number;
  /** What stands between its tags. */
  readonly content: string;
}

/** Names whose end is looked for: each takes a search of the whole text. */
const MOST_NAMES = 50;

/**
 * Finds the elements of a text, each up to the first closing tag of its name; one that is not closed
 * is text. Takes time in proportion to the text, whatever stands in it.
 *
 * @param opening - the opening tag, with its name as the first group; global.
 */
export function* findElements(text: string, opening: RegExp): Generator<TextElement> {
  /** Where the next closing tag of a name is; Infinity where there is none any more. */
  const closings = new Map<string, number>();
  let from = 0;
  for (const { 0: tag, 1: name = '', index: start } of text.matchAll(opening)) {
    if (start < from || (closings.size >= MOST_NAMES && !closings.has(name))) continue;
    const inner = start + tag.length;
    const closing = `</${name}>`;
    let at = closings.get(name) ?? -1;
    if (at < inner) at = text.indexOf(closing, inner);
    closings.set(name, at === -1 ? Number.POSITIVE_INFINITY : at);
    if (at === -1 || at === Number.POSITIVE_INFINITY) continue;
    from = at + closing.length;
    yield { name, start, end: from, content: text.slice(inner, at) };
  }
}

/** A text without the elements in it, and without the blanks behind each where `blanks` says so. */
export function withoutElements(text: string, opening: RegExp, blanks: 'keep' | 'drop'): string {
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of findElements(text, opening)) {
    const before = text.slice(from, start);
    kept.push(blanks === 'drop' && from > 0 ? before.trimStart() : before);
    from = end;
  }
  if (from === 0) return text;
  const rest = text.slice(from);
  return [...kept, blanks === 'drop' ? rest.trimStart() : rest].join('');
}
