import { describe, expect, it } from 'bun:test';
import { createLayoutDetector } from './layout.ts';

/** Result of the detector byte by byte, or at the end if it does not know earlier. */
function layoutOf(text: string, arrayLines = false): string {
  const detector = createLayoutDetector(arrayLines);
  for (const byte of new TextEncoder().encode(text)) {
    const layout = detector.push(Uint8Array.of(byte));
    if (layout !== undefined) return layout;
  }
  return `${detector.end()} in the end`;
}

describe('the layout of an input', () => {
  it.each([
    ['{"a":1}\n', 'lines'],
    ['{"a":1} \t\r{', 'documents'],
    ['{"a":1}[', 'documents'],
    ['{"a":1}x', 'lines'],
    ['{"a":1}', 'lines in the end'],
    ['', 'lines in the end'],
    [' \n\r\t{}\n', 'lines'],
    ['[', 'documents'],
    [' \n[', 'documents'],
    ['1', 'lines'],
    ['"', 'lines'],
    ['}', 'lines'],
    ['{]', 'lines'],
    ['{"a":[}', 'lines'],
    ['{"a\n', 'lines'],
    ['{"a\\"\n', 'lines'],
    ['{"a\\\\"\n:', 'documents'],
    ['{"{":"[","]":"}"}{', 'documents'],
  ])('of %j is %s', (text, layout) => {
    expect(layoutOf(text)).toBe(layout);
  });

  // Possible next characters if the first line ends within an object.
  it.each([
    ...['{"a":', '{"a":[', '{"a":[1,'].flatMap((line) =>
      ['"', '{', '[', '0', '9', '-', 't', 'f', 'n'].map((next) => [line, next, 'documents']),
    ),
    ...['{"a":', '{"a":[', '{"a":[1,'].flatMap((line) =>
      ['/', ':', '}', ',', 'x'].map((next) => [line, next, 'lines']),
    ),
    ['{"a":', ']', 'lines'],
    ['{"a":[', ']', 'documents'],
    ['{"a":[1,', ']', 'lines'],
    ['{', '"', 'documents'],
    ['{', '}', 'documents'],
    ['{', '1', 'lines'],
    ['{', ',', 'lines'],
    ['{"a":1,', '"', 'documents'],
    ['{"a":1,', '}', 'lines'],
    ['{"a":1,', '1', 'lines'],
    ['{"a":1', ',', 'documents'],
    ['{"a":1', '}', 'documents'],
    ['{"a"', ':', 'documents'],
    ['{"a":1', ']', 'lines'],
    ['{"a":1', '{', 'lines'],
    ['{"a":[1', ',', 'documents'],
    ['{"a":[1', ']', 'documents'],
    ['{"a":[1', ':', 'lines'],
    ['{"a":[1', '}', 'lines'],
    ['{"a":[{}', ']', 'documents'],
    ['{"a":{"b":[]', '}', 'documents'],
  ] as [line: string, next: string, layout: string][])(
    'of %s followed by %s is %s',
    (line, next, layout) => {
      expect(layoutOf(`${line} \n \n${next}`)).toBe(layout);
    },
  );

  it.each([
    ['[1]\n[', 'lines'],
    ['[1] \n\r\n [', 'lines'],
    ['[1] [', 'documents'],
    ['[1]\n{', 'documents'],
    ['[1]{', 'documents'],
    ['[1\n', 'documents'],
    ['["\n', 'documents'],
    ['[}', 'documents'],
    ['["]",[{}]]\n[', 'lines'],
    ['[1]', 'documents in the end'],
    ['{"a":1}\n', 'lines'],
    ['x', 'lines'],
    [`[${' '.repeat(2 ** 16 - 2)}]\n[`, 'lines'],
    [`[${' '.repeat(2 ** 16 - 1)}]\n[`, 'documents'],
  ])('of %j is %s if one array per line is allowed', (text, layout) => {
    expect(layoutOf(text, true)).toBe(layout);
  });
});
