import { describe, expect, it } from 'bun:test';
import { beginsValue, describeByte, isBlankByte, LineCounter } from './bytes.ts';

const those = (isWanted: (byte: number) => boolean): string =>
  String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte).filter(isWanted));

describe('bytes', () => {
  it('are told apart as JSON does', () => {
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

  it('have their line and column, over chunks', () => {
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
