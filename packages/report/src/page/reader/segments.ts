/** A part of a text that looks the same throughout. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  /** `add`, `remove`, `header` in a diff, `code` in prose; empty for plain text. */
  readonly kind: string;
}

const DIFF = /^(?:diff --git |@@ -\d|--- .*\n\+\+\+ )/m;
const FENCE = /```[^\n]*\n[\s\S]*?(?:\n```|$)/g;
// Each line is an element; more would make the page slow.
const MOST_LINES = 4000;

/** Divides a text into its parts: the lines of a diff, or the code within prose. */
export function segmentsOf(text: string): readonly Segment[] {
  if (DIFF.test(text)) return linesOfDiff(text);
  const segments: Segment[] = [];
  let at = 0;
  for (const { index, 0: fence } of text.matchAll(FENCE)) {
    if (index > at) segments.push({ from: at, to: index, kind: '' });
    at = index + fence.length;
    segments.push({ from: index, to: at, kind: 'code' });
  }
  if (at < text.length) segments.push({ from: at, to: text.length, kind: '' });
  return segments;
}

function linesOfDiff(text: string): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  while (at < text.length && segments.length < MOST_LINES) {
    const end = text.indexOf('\n', at);
    const to = end < 0 ? text.length : end + 1;
    const kind = kindOfLine(text.slice(at, to));
    const last = segments.at(-1);
    if (last?.kind === kind) segments[segments.length - 1] = { ...last, to };
    else segments.push({ from: at, to, kind });
    at = to;
  }
  if (at < text.length) segments.push({ from: at, to: text.length, kind: '' });
  return segments;
}

function kindOfLine(line: string): string {
  if (/^(?:@@ |diff --git |index [\da-f]+\.\.|\+\+\+ |--- )/.test(line)) return 'header';
  if (line.startsWith('+')) return 'add';
  return line.startsWith('-') ? 'remove' : '';
}

/** Returns the length of the folded text; the full length if folding is unnecessary. */
export function foldAt(text: string): number {
  if (text.length <= LONG_TEXT && countLines(text, LONG_LINES + 1) <= LONG_LINES)
    return text.length;
  let at = -1;
  for (let line = 0; line < SHOWN_LINES; line++) {
    const next = text.indexOf('\n', at + 1);
    if (next < 0 || next > SHOWN_CHARACTERS) return Math.min(text.length, SHOWN_CHARACTERS);
    at = next;
  }
  return at;
}

const LONG_TEXT = 1600;
const LONG_LINES = 18;
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 1000;

export function countLines(text: string, most: number = Number.POSITIVE_INFINITY): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && lines < most; at = text.indexOf('\n', at + 1))
    lines++;
  return lines;
}
