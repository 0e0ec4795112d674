import { answers } from './answers.ts';

Object.assign(globalThis, { vectorCacheAnswers: answers() });
