import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/**
 * A text as a terminal may show it: what a recording holds must not move the cursor, set colours or
 * turn the direction of a line round, so control characters are shown as escapes.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const code = character.charCodeAt(0);
    return code < 256
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** A text of any length on one line: white space becomes one blank, control characters escapes. */
export function oneLine(text: string): string {
  // Only so much can ever be shown; an objective may have megabytes.
  return printable(text.slice(0, 2000).replace(/\s+/g, ' ').trim());
}

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Cuts a text down to so many columns, with `…` where something is left out. */
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

/** What a message quotes of a file: on one line, cut short. */
export function excerpt(text: string): string {
  return fit(oneLine(text), EXCERPT_COLUMNS);
}

/** A text as lines of so many columns at most, those after the first indented. */
export function wrap(text: string, width: number, indent = ''): string[] {
  const [first = '', ...rest] = wrapAnsi(text, width, { hard: true, trim: false }).split('\n');
  if (rest.length === 0) return [first.trimEnd()];
  const others = wrapAnsi(rest.join('').trimStart(), width - widthOf(indent), { hard: true });
  return [first.trimEnd(), ...others.split('\n').map((line) => indent + line)];
}

/** `1 trace`, `12,000 traces`. */
export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(amount)} ${amount === 1 ? noun : plural}`;
}

/** `12,000`. */
export function grouped(amount: number): string {
  return amount.toLocaleString('en-US');
}

/** Up to three decimals, none that says nothing: 0.375, 0.05, 0. */
export function decimal(value: number): string {
  return String(Number(value.toFixed(3)));
}

/** A change with its sign: `+0.10`, `−0.10`. */
export function signed(change: number, digits = 2): string {
  return `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(digits)}`;
}

/** The id of a trace without the prefix that all have. */
export function shortId(traceId: string): string {
  return traceId.replace(/^kp:trace:/, '');
}
