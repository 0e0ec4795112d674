/** Replaces values by names for them. */
export interface Mask {
  text(text: string): string;
  /** All texts of a JSON value, names of fields included. */
  value<Value>(value: Value): Value;
}

const USER_NAME = 'user-name-in-path';
// Shorter names are words of many texts; they are masked in paths alone.
const SHORTEST_WORD = 5;

/**
 * A mask of values that were found, wherever they stand: `[kind-number]`, numbered within a kind in
 * the order of `values`. A user's name is one only as a whole word.
 *
 * @param values - kinds by value.
 */
export function createMask(values: ReadonlyMap<string, string>): Mask {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  for (const [value, kind] of values) {
    const number = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, number);
    names.set(value, `[${kind}-${number}]`);
  }
  // The longest first: a key that is part of a longer one must not cut it in two.
  const alternatives = [...values]
    .toSorted(([a], [b]) => b.length - a.length)
    .map(([value, kind]) => (kind === USER_NAME ? wholeWord(value) : escaped(value)));
  const pattern = new RegExp(alternatives.join('|'), 'gu');

  const text = (original: string): string =>
    values.size === 0 ? original : original.replace(pattern, (value) => names.get(value) ?? value);
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(mask);
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [text(name), mask(inner)]),
    );
  };
  return { text, value: <Value>(value: Value) => mask(value) as Value };
}

function wholeWord(name: string): string {
  const place =
    name.length < SHORTEST_WORD
      ? String.raw`(?<=(?:/home/|/Users/|Users\\{1,4}))`
      : String.raw`(?<![\p{L}\p{N}_-])`;
  return String.raw`${place}${escaped(name)}(?![\p{L}\p{N}_-])`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
