import { TEXTS, type Texts } from '../../src/texts/index.ts';

/** Returns the texts of a language by its tag, such as `ja`. */
export function textsOf(lang: string): Texts {
  return Object.values(TEXTS).find((each) => each.lang === lang) ?? TEXTS.en;
}
