/**
 * Checks the argument of `embed`.
 *
 * @throws TypeError when it is not an array, or, naming the index, when an entry is not a string.
 */
export function assertTexts(texts: unknown): asserts texts is readonly string[] {
  if (!Array.isArray(texts)) {
    throw new TypeError(`texts: expected an array of strings, received ${describe(texts)}`);
  }
  for (let index = 0; index < texts.length; index++) {
    if (typeof texts[index] !== 'string') {
      throw new TypeError(`texts[${index}]: expected a string, received ${describe(texts[index])}`);
    }
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'string' ? 'a string; wrap a single text in an array' : typeof value;
}
