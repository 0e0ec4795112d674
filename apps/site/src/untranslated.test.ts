import { expect, it } from 'bun:test';
import { readUntranslated } from './untranslated.ts';

it.each([
  ['?untranslated=ja', 'ja'],
  ['?a=b&untranslated=es', 'es'],
  ['?untranslated=en', undefined],
  ['?untranslated=<b>', undefined],
  ['', undefined],
] as const)('readUntranslated(%j) is %p', (query, language) => {
  expect(readUntranslated(query)).toBe(language);
});
