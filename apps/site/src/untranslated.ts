import { LANGUAGES, type Language } from './texts/index.ts';

/** Name in the query of an English page: the language that it was asked for in. */
export const UNTRANSLATED = 'untranslated';

/**
 * Reads the language that an English page was asked for in.
 *
 * @param query - of the address, such as `?untranslated=ja`.
 * @returns undefined if the page was asked for in English.
 */
export function readUntranslated(query: string): Language | undefined {
  const asked = new URLSearchParams(query).get(UNTRANSLATED);
  return LANGUAGES.find((language) => language !== 'en' && language === asked);
}
