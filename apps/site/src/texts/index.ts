import { CHINESE } from './chinese.ts';
import { ENGLISH } from './english.ts';
import { JAPANESE } from './japanese.ts';
import { KOREAN } from './korean.ts';
import { SPANISH } from './spanish.ts';
import type { Language, Texts } from './types.ts';

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: ENGLISH,
  zh: CHINESE,
  ja: JAPANESE,
  ko: KOREAN,
  es: SPANISH,
};
export {
  LANGUAGES,
  type Language,
  type PageKey,
  SECTIONS,
  type SectionKey,
  type Texts,
} from './types.ts';
