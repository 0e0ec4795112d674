import { describe, expect, it } from 'bun:test';
import { comparedRun } from './compared-run.ts';

describe('comparedRun', () => {
  const outcomeOf = (successSource: string, success: boolean | undefined, countedAs: boolean) =>
    comparedRun({ score: 0.5, successSource, success, countedAs }).success;

  it('counts an assumed failure as failed, and an assumed success as unknown', () => {
    expect(outcomeOf('assumed', undefined, false)).toBe(false);
    expect(outcomeOf('assumed', undefined, true)).toBeNull();
  });

  it('takes no outcome from a score if the outcome is unknown', () => {
    expect(outcomeOf('unknown', undefined, false)).toBeNull();
    expect(outcomeOf('recorded', true, true)).toBe(true);
    expect(outcomeOf('graded', false, false)).toBe(false);
  });

  it('has neither a task nor an objective by default', () => {
    const bare = { task: null, objective: '', success: null, score: null };
    expect(comparedRun({ score: null })).toEqual(bare);
  });
});
