import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { beginsValue, describeByte, isBlankByte, LineCounter, TextScanner } from './bytes.ts';

const those = (isWanted: (byte: number) => boolean): string =>
  String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte).filter(isWanted));

describe('bytes', () => {
  it('are classified as in JSON', () => {
    expect(those(isBlankByte)).toBe('\t\n\r ');
    expect(those(beginsValue)).toBe('"-0123456789[fnt{');
  });

  it.each([
    [0x0a, 'a line break'],
    [0x0d, 'a line break'],
    [0x09, 'the byte 0x09'],
    [0x20, 'the byte 0x20'],
    [0x21, '!'],
    [0x7e, '~'],
    [0x7f, 'the byte 0x7f'],
    [0xff, 'the byte 0xff'],
  ])('%d is described as %s', (byte, description) => {
    expect(describeByte(byte)).toBe(description);
  });

  it('are located by line and column across chunks', () => {
    const lines = new LineCounter();
    expect(lines.at(0)).toEqual({ line: 1, column: 1 });
    lines.countAt(4);
    expect(lines.at(5)).toEqual({ line: 2, column: 1 });
    lines.nextChunk(7);
    expect(lines.at(0)).toEqual({ line: 2, column: 3 });
    lines.countAt(1);
    expect(lines.at(3)).toEqual({ line: 3, column: 2 });
  });
});

describe('TextScanner', () => {
  it('finds the end of every string after escapes, with chunks that reuse memory', () => {
    const plain = fc.nat({ max: 200 }).map((length) => 'a'.repeat(length));
    const text = fc.array(fc.oneof(plain, fc.constantFrom('"', '\\', '\n')), { maxLength: 30 });
    const chunks = fc.array(
      text.map((parts) => parts.join('')),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(chunks, (texts) => {
        const scanner = new TextScanner();
        const chunk = new Uint8Array(Math.max(...texts.map(({ length }) => length)));
        for (const each of texts) {
          chunk.fill(0x61);
          new TextEncoder().encodeInto(each, chunk);
          scanner.nextChunk();
          const found: number[] = [];
          for (let at = 0; at < chunk.length; at++) {
            at = scanner.endOf(chunk, at);
            if (at < chunk.length) found.push(at);
          }
          const marks = each.padEnd(chunk.length, 'a').matchAll(/\\[^\n]|(["\n\\])/g);
          const ends = [...marks].filter(([, end]) => end !== undefined);
          expect(found).toEqual(ends.map(({ index }) => index));
        }
      }),
    );
  });
});
