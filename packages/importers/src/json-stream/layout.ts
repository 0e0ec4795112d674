import {
  BACKSLASH,
  beginsValue,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isBlankByte,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './bytes.ts';

/** How values are laid out: one a line, or free over lines with top-level arrays streamed. */
export type JsonLayout = 'lines' | 'documents';

/** Tells the layout from the beginning of an input; see {@link createLayoutDetector}. */
export interface LayoutDetector {
  /** To be given chunk after chunk, until it answers. */
  push(chunk: Uint8Array): JsonLayout | undefined;
  /** The layout of an input that ends before it could be told. */
  end(): JsonLayout;
}

/** An array in a line of more bytes than this is taken for the one document of its input. */
const MOST_ARRAY_LINE_BYTES = 2 ** 16;

/**
 * Tells the layout from the beginning of the input. One that begins with `[` is a document. One that
 * begins with `{` is a document when its first line ends in the middle of the object and the next line
 * can go on from there; otherwise that line stands for itself, whole or broken.
 *
 * @param arrayLines - whether an input that begins with `[` is lines after all when its first line
 *   is a whole array of at most 64 KiB and the next line begins with another.
 */
export function createLayoutDetector(arrayLines: boolean): LayoutDetector {
  /** The closing bytes that the open containers wait for. */
  const awaited: number[] = [];
  let inString = false;
  let escaped = false;
  let lastByte = 0;
  let closed = false;
  let lineEnded = false;
  let isArray = false;
  /** Bytes of the array so far, its opening bracket among them. */
  let length = 1;

  const inspectArray = (byte: number): JsonLayout | undefined => {
    if (!closed) {
      length += 1;
      return length > MOST_ARRAY_LINE_BYTES || byte === LINE_FEED ? 'documents' : undefined;
    }
    if (byte === LINE_FEED) lineEnded = true;
    if (isBlankByte(byte)) return undefined;
    return lineEnded && byte === OPEN_BRACKET ? 'lines' : 'documents';
  };

  const inspect = (byte: number): JsonLayout | undefined => {
    if (isArray) {
      const layout = inspectArray(byte);
      if (layout !== undefined || closed) return layout;
    }
    if (inString) {
      if (byte === LINE_FEED) return 'lines';
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) inString = false;
      return undefined;
    }
    if (byte === LINE_FEED && closed) return 'lines';
    if (byte === LINE_FEED && awaited.length > 0) lineEnded = true;
    if (isBlankByte(byte)) return undefined;
    if (closed) return byte === OPEN_BRACE || byte === OPEN_BRACKET ? 'documents' : 'lines';
    if (awaited.length === 0 && byte === OPEN_BRACKET) {
      if (!arrayLines) return 'documents';
      isArray = true;
    }
    if (awaited.length === 0 && byte !== OPEN_BRACE && !isArray) return 'lines';
    if (lineEnded)
      return canFollow(awaited[awaited.length - 1], lastByte, byte) ? 'documents' : 'lines';
    if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACE) awaited.push(CLOSE_BRACE);
    else if (byte === OPEN_BRACKET) awaited.push(CLOSE_BRACKET);
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && awaited.pop() !== byte)
      return isArray ? 'documents' : 'lines';
    closed = awaited.length === 0;
    lastByte = byte;
    return undefined;
  };

  return {
    push(chunk) {
      for (const byte of chunk) {
        const layout = inspect(byte);
        if (layout !== undefined) return layout;
      }
      return undefined;
    },
    end: () => (isArray ? 'documents' : 'lines'),
  };
}

/** Whether `next` may come after `last` inside a container that ends with `closing`. */
function canFollow(closing: number | undefined, last: number, next: number): boolean {
  const inObject = closing === CLOSE_BRACE;
  if (last === COLON || (last === COMMA && !inObject)) return beginsValue(next);
  if (last === COMMA) return next === QUOTE;
  if (last === OPEN_BRACE) return next === QUOTE || next === CLOSE_BRACE;
  if (last === OPEN_BRACKET) return beginsValue(next) || next === CLOSE_BRACKET;
  return next === COMMA || next === closing || (inObject && next === COLON);
}
