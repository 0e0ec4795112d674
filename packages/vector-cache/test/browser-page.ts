import { answers } from './answers.ts';
import { graphAnswers } from './graph-answers.ts';

Object.assign(globalThis, {
  vectorCacheAnswers: answers(),
  vectorCacheGraph: await graphAnswers(2),
});
if (typeof document !== 'undefined') document.documentElement.dataset.isDone = 'yes';
