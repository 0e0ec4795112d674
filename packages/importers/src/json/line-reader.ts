import { LINE_FEED } from './bytes.ts';
import type { JsonItem, JsonReader } from './json-item.ts';
import { ValueBuffer } from './value-buffer.ts';

/** Reads JSON Lines: every line is a value, and a bad line costs no more than itself. */
export function createLineReader(maxValueBytes: number): JsonReader {
  const buffer = new ValueBuffer(maxValueBytes);
  let line = 1;
  let count = 0;

  const finishLine = (): JsonItem | undefined => {
    const parsed = buffer.take({ line, column: 1 });
    if (parsed === undefined) return undefined;
    if ('error' in parsed) return { line, error: parsed.error };
    return { line, endLine: line, document: count++, value: parsed.value };
  };

  return {
    *push(chunk) {
      let start = 0;
      for (;;) {
        const end = chunk.indexOf(LINE_FEED, start);
        if (end === -1) break;
        buffer.append(chunk, start, end);
        const item = finishLine();
        line += 1;
        start = end + 1;
        if (item !== undefined) yield item;
      }
      buffer.append(chunk, start, chunk.length);
    },
    *end() {
      const item = finishLine();
      if (item !== undefined) yield item;
    },
    get line() {
      return line;
    },
  };
}
