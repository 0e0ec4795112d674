import { asName, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

/** Counts parts without text, by kind. */
export type Omitted = Map<string, number>;

/** Creates an empty count. */
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
 * Converts the content of a message to text. Parts are joined by line breaks. A part without text becomes
 * its kind in brackets, such as `[image]`, and is counted. Other values become JSON.
 *
 * @param content - a text, an array of parts, or nothing.
 * @param omitted - counts the parts without text.
 */
export function readText(content: JsonValue | undefined, omitted: Omitted): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content) && content.every(isPart)) {
    return content.map((part) => readPart(part, omitted)).join('\n');
  }
  if (isPart(content) && isJsonObject(content)) return readPart(content, omitted);
  return typeof content === 'object' ? JSON.stringify(content) : String(content);
}

/** Returns text unchanged and any other value as JSON. */
export function asText(value: JsonValue | undefined): string {
  return readText(value, createOmitted());
}

/** Counts an omitted part. */
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

/** The kind of a part without text: its media type, or its type. */
export function partKind(part: JsonObject): string {
  const type = asName(part.type ?? part.mime_type) || 'part';
  const mediaType = [part.mediaType, part.mimeType, part.media_type].find(
    (value) => typeof value === 'string',
  );
  const known = KINDS.find(([pattern]) => pattern.test(`${type} ${mediaType ?? ''}`));
  return known?.[1] ?? type.replaceAll(/[^\w.-]+/g, '_').slice(0, 40);
}
