import { expect, it } from 'bun:test';
import type { ScoreReport } from '@knowledgepulse/sdk';
import { hasFailed, rememberedText, similarText } from './comparison-text.ts';

type Novelty = ScoreReport['novelty'];

const failure = { code: 'X', message: 'it is gone' };
const nearest = { key: 'kp:trace:b', similarity: 0.25 };

it.each<[Omit<Novelty, 'truncated'>, boolean, string, string]>([
  [{ source: 'nearest', nearest }, false, '0.250 like kp:trace:b', 'remembered as kp:trace:a'],
  [{ source: 'empty_memory' }, false, 'the memory is empty', 'remembered as kp:trace:a'],
  [
    { source: 'no_text' },
    false,
    'not compared: the run has no text to compare',
    'not remembered: the run has no text to compare',
  ],
  [
    { source: 'overloaded' },
    true,
    'not compared: overloaded; try again',
    'not remembered: overloaded; try again',
  ],
  [
    { source: 'budget_exceeded' },
    true,
    'not compared: budget exceeded; try again',
    'may not be remembered: budget exceeded; try again',
  ],
  [
    { source: 'embedder_failed', failure },
    true,
    'not compared: the embedder failed: it is gone',
    'not remembered: the embedder failed: it is gone',
  ],
  [
    { source: 'memory_failed', failure },
    true,
    'not compared: the memory failed: it is gone',
    'may not be remembered: the memory failed: it is gone',
  ],
])('says what became of a run with the novelty %j', (novelty, isFailure, similar, remembered) => {
  const report = { score: 0.5, novelty: { ...novelty, truncated: false } } as ScoreReport;
  expect(hasFailed(report.novelty)).toBe(isFailure);
  expect(similarText(report.novelty)).toBe(similar);
  expect(rememberedText(report, 'kp:trace:a')).toBe(`0.500, ${remembered}`);
});
