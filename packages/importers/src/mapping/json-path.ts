import { isJsonObject, type JsonValue } from '../json/json-value.ts';

/** A step of a path: a key, an index, or `*` for every element. */
type Segment = { readonly key: string } | { readonly index: number } | '*';

/** A parsed path; see {@link parsePath}. */
export interface JsonPath {
  readonly text: string;
  readonly segments: readonly Segment[];
}

const SEGMENT = /^(?:\.?\[(?:(\d+)|(\*)|"([^"]+)"|'([^']+)')\]|\.?(\*)|\.?([^.[\]*\s"']+))/;

/**
 * Parses a path in the notation of JSONPath: `$` (optional), keys, `["a key"]`, `[0]`, and `[*]` or `*` for
 * every element: `$.sessions[*].turns`.
 *
 * @returns undefined if the text is not such a path.
 */
export function parsePath(text: string): JsonPath | undefined {
  const segments: Segment[] = [];
  let rest = text.trim().replace(/^\$/, '');
  if (rest === '' && !text.includes('$')) return undefined;
  while (rest !== '') {
    const match = SEGMENT.exec(rest);
    if (match === null) return undefined;
    const [whole, index, star, double, single, bare, name] = match;
    const key = double ?? single ?? name;
    if (index !== undefined) segments.push({ index: Number(index) });
    else if (key !== undefined) segments.push({ key });
    else if (star !== undefined || bare !== undefined) segments.push('*');
    rest = rest.slice(whole.length);
  }
  return { text, segments };
}

/** Returns the values at a path, in order; an empty list if the path does not exist. */
export function valuesAt(value: JsonValue, { segments }: JsonPath): JsonValue[] {
  let found: JsonValue[] = [value];
  for (const segment of segments) found = found.flatMap((each) => step(each, segment));
  return found;
}

/** Returns the first value at a path; undefined without a value or a path. */
export function valueAt(value: JsonValue, path: JsonPath | undefined): JsonValue | undefined {
  return path === undefined ? undefined : valuesAt(value, path)[0];
}

/** Returns the values of the list at a path; `turns` and `turns[*]` mean the same. */
export function listAt(value: JsonValue, path: JsonPath): JsonValue[] {
  const found = valuesAt(value, path);
  return found.length === 1 && Array.isArray(found[0]) ? found[0] : found;
}

function step(value: JsonValue, segment: Segment): JsonValue[] {
  if (segment === '*') {
    if (Array.isArray(value)) return value;
    return isJsonObject(value) ? Object.values(value) : [];
  }
  const isIndex = 'index' in segment;
  if (isIndex && Array.isArray(value)) return value.slice(segment.index, segment.index + 1);
  if (isIndex || !isJsonObject(value) || !Object.hasOwn(value, segment.key)) return [];
  return [value[segment.key] ?? null];
}
