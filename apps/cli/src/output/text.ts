import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { printable } from './control-characters.ts';

export { decimal, percent } from '@kp/foundation';
export { jsonText, printable, terminalText } from './control-characters.ts';

/** A text of any length on one line: white space becomes one blank, control characters escapes. */
export function oneLine(text: string): string {
  // An objective may have megabytes, of which a line shows a few characters.
  return printable(text.slice(0, 2000).replace(/\s+/g, ' ').trim());
}

const PRINTABLE_ASCII = /^[ -~]*$/;

/** Number of terminal columns of a text. */
export function widthOf(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : stringWidth(text);
}

/** Cuts a text to a number of columns, with `…` where something is left out. */
export function fit(text: string, width: number, position: 'end' | 'middle' = 'end'): string {
  if (widthOf(text) <= width) return text;
  if (width < 1) return '';
  const characters = Array.from(CHARACTERS.segment(text), ({ segment }) => segment);
  const tailWidth = position === 'middle' ? Math.floor((width - 1) / 2) : 0;
  const tail = startOf(characters.toReversed(), tailWidth).toReversed().join('');
  const head = startOf(characters, width - 1 - widthOf(tail)).join('');
  return `${head.trimEnd()}…${tail}`;
}

// What a reader takes for one character, such as a letter with its accents or a joined emoji.
const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function startOf(characters: readonly string[], width: number): readonly string[] {
  let used = 0;
  const end = characters.findIndex((character) => {
    used += widthOf(character);
    return used > width;
  });
  return end === -1 ? characters : characters.slice(0, end);
}

const EXCERPT_COLUMNS = 120;

/** What a message quotes of a file: on one line, cut. */
export function excerpt(text: string): string {
  return fit(oneLine(text), EXCERPT_COLUMNS);
}

/**
 * A text as lines of at most `width` columns; those after the first are indented. Lines end between
 * words; a path or an id that is longer than a line ends after one of its separators.
 */
export function wrap(text: string, width: number, indent = ''): string[] {
  const room = width - widthOf(indent);
  // A number and its unit stay together unless the two are wider than a line.
  const broken = (line: string): string =>
    joined(line).replace(/[^ ]+/g, (words) =>
      widthOf(words) <= room
        ? words
        : separated(words).replace(/\S+/g, (word) => breakable(word, room)),
    );
  const lines = wrapAnsi(broken(text), width, { hard: true, trim: false }).split('\n');
  const [first = '', ...rest] = lines;
  if (rest.length === 0) return [separated(first.trimEnd())];
  const others = wrapAnsi(broken(rest.join('').trimStart()), room, { hard: true });
  return [first.trimEnd(), ...others.split('\n').map((line) => indent + line)].map(separated);
}

/** Lines for a terminal of that width, or as they are where there is none, such as in a pipe. */
export function wrapAll(lines: readonly string[], width: number | undefined): string[] {
  return width === undefined ? [...lines] : lines.flatMap((line) => wrap(line, width, '  '));
}

/**
 * A message for a terminal of that width. A path that is longer than a line stays whole, so that it
 * can be copied.
 */
export function messageText(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  const wrapped = text.split('\n').map((line) => {
    const [first = '', ...rest] = wrapAnsi(joined(line), width, { trim: false }).split('\n');
    if (rest.length === 0) return line;
    const others = wrapAnsi(rest.join(' ').trim(), width - 2).split('\n');
    return [first.trimEnd(), ...others.map((other) => `  ${other}`)].join('\n');
  });
  return separated(wrapped.join('\n'));
}

/** A blank at which no line ends. */
const JOINT = '\u00a0';

/** Keeps a number with its unit, and `10:` with what it is followed by, on one line. */
function joined(text: string): string {
  return text.replace(/(?<=\d) (?=%)|(?<=\d:) (?=\d)/g, JOINT);
}

function separated(text: string): string {
  return text.replaceAll(JOINT, ' ');
}

/** A word that is wider than a line, with line breaks after some of its separators. */
function breakable(word: string, width: number): string {
  if (widthOf(word) <= width) return word;
  const lines = [''];
  for (const part of word.match(/[^/:_,=-]*[/:_,=-]*/g) ?? []) {
    const last = lines.length - 1;
    if (lines[last] === '' || widthOf(lines[last] + part) <= width) lines[last] += part;
    else lines.push(part);
  }
  return lines.join('\n');
}

/** `1 trace`, `12,000 traces`. */
export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(amount)} ${amount === 1 ? noun : plural}`;
}

/** `12,000`. */
export function grouped(amount: number): string {
  return amount.toLocaleString('en-US');
}

/** A change with its sign: `+0.10`, `−0.10`. */
export function signed(change: number, digits = 2): string {
  return `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(digits)}`;
}

/** The id of a trace without the prefix that every id has. */
export function shortId(traceId: string): string {
  return traceId.replace(/^kp:trace:/, '');
}
