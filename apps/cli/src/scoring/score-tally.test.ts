import { describe, expect, it } from 'bun:test';
import type { ScoredRun } from '../runs/run.ts';
import { createScoreTally } from './score-tally.ts';

describe('createScoreTally', () => {
  it('does not read the fields of a prepared run, which must be parsed first', () => {
    const tally = createScoreTally(0.5, 'succeeded');
    const outcome = { success: true, successFrom: 'recorded', confidenceFrom: 'recorded' };
    tally.add({
      report: { score: 0.75 },
      run: { prepared: { outcome } },
      get fields(): never {
        throw new Error('the fields were read');
      },
    } as unknown as ScoredRun);
    expect(tally.read()).toMatchObject({ atThreshold: 1, verdicts: 1, passed: 1 });
  });
});
