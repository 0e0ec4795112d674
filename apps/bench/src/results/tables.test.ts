import { describe, expect, it } from 'bun:test';
import { formatBytes, formatNanoseconds } from './tables.ts';

describe('formatNanoseconds', () => {
  it.each([
    [0, '0.00 ns'],
    [2.345, '2.35 ns'],
    [83.31, '83.3 ns'],
    [999.4, '999 ns'],
    [4567, '4.57 µs'],
    [100e6, '100 ms'],
    [1.5e9, '1.50 s'],
    [-250e3, '-250 µs'],
  ])('%p is %s', (nanoseconds, text) => {
    expect(formatNanoseconds(nanoseconds)).toBe(text);
  });
});

describe('formatBytes', () => {
  it.each([
    [1952.2, '1952 B'],
    [45_300, '45.3 kB'],
    [4_200_000, '4.20 MB'],
  ])('%p is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
