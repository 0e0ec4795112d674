import { asName, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

/** Counts what has no text, by kind. */
export type Omitted = Map<string, number>;

/** A count of nothing. */
export function createOmitted(): Omitted {
  return new Map();
}

const TEXT_FIELDS = ['text', 'refusal', 'thinking', 'reasoning', 'transcript'];

const KINDS: readonly [pattern: RegExp, kind: string][] = [
  [/image/, 'image'],
  [/audio/, 'audio'],
  [/video/, 'video'],
  [/file|document|media/, 'file'],
];

/**
 * The text of a message's content: a text, an array of parts, or nothing. Parts are joined by a
 * line break; one without text stands as its kind in brackets, `[image]`, and is counted.
 * Anything else that a tool may answer is given as its JSON.
 *
 * @param content - what stands in a message.
 * @param omitted - counts the parts without text.
 */
export function readText(content: JsonValue | undefined, omitted: Omitted): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content) && content.every(isPart)) {
    return content.map((part) => readPart(part, omitted)).join('\n');
  }
  if (isPart(content) && isJsonObject(content)) return readPart(content, omitted);
  return JSON.stringify(content);
}

/** A result as text; any other value as its JSON. */
export function asText(value: JsonValue | undefined): string {
  return readText(value, createOmitted());
}

/** Notes that one part of a kind was left out. */
export function countOmitted(omitted: Omitted, kind: string): void {
  omitted.set(kind, (omitted.get(kind) ?? 0) + 1);
}

function isPart(value: JsonValue): value is string | JsonObject {
  if (!isJsonObject(value)) return typeof value === 'string';
  const isBareText = typeof value.text === 'string' && Object.keys(value).length === 1;
  return isBareText || typeof value.type === 'string';
}

function readPart(part: string | JsonObject, omitted: Omitted): string {
  if (typeof part === 'string') return part;
  for (const field of TEXT_FIELDS) {
    const text = part[field];
    if (typeof text === 'string') return text;
  }
  const kind = partKind(part);
  countOmitted(omitted, kind);
  return `[${kind}]`;
}

/** The kind of a part without text: its media, or its type. */
export function partKind(part: JsonObject): string {
  const type = asName(part.type ?? part.mime_type) || 'part';
  const mediaType = [part.mediaType, part.mimeType, part.media_type].find(
    (value) => typeof value === 'string',
  );
  const known = KINDS.find(([pattern]) => pattern.test(`${type} ${mediaType ?? ''}`));
  return known?.[1] ?? type.replaceAll(/[^\w.-]+/g, '_').slice(0, 40);
}
