import { expect, it } from 'bun:test';
import { decimal, percent } from './format.ts';

it.each([
  [0, '0 %'],
  [0.0004, '0 %'],
  [0.0046, '0.5 %'],
  [0.1234, '12.3 %'],
  [1, '100 %'],
])('percent(%p) is %s', (share, text) => expect(percent(share)).toBe(text));

it.each([
  [0, '0'],
  [0.05, '0.05'],
  [0.12345, '0.123'],
  [2, '2'],
])('decimal(%p) is %s', (value, text) => expect(decimal(value)).toBe(text));
