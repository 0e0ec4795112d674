import { describe, expect, it } from 'bun:test';
import { stepsOf, traceWith } from '../test/traces.ts';
import { applyOverrides } from './rules.ts';

const rules = (kinds: string[], composite = 0.5, success = true) =>
  applyOverrides(composite, traceWith({ steps: stepsOf(...kinds), success }));

describe('applyOverrides', () => {
  it('sets a single thought to 0.1', () => {
    expect(rules(['thought'])).toEqual({
      score: 0.1,
      overrides: [{ rule: 'single_thought', before: 0.5, after: 0.1 }],
    });
  });

  it('takes a single thought with one tool to 0: the first rule, then the third', () => {
    const { score, overrides } = rules(['thought:search']);
    expect(score).toBe(0);
    expect(overrides.map(({ rule }) => rule)).toEqual(['single_thought', 'low_tool_diversity']);
  });

  it('leaves a single step of another type, and two thoughts, alone', () => {
    expect(rules(['observation']).overrides).toEqual([]);
    expect(rules(['thought', 'thought']).overrides).toEqual([]);
  });

  it('adds the bonus from three recoveries on, after success only, up to 1', () => {
    const recoveries = (count: number) => Array.from({ length: count }, () => 'error_recovery');
    expect(rules(recoveries(2)).score).toBe(0.5);
    expect(rules(recoveries(3)).score).toBe(0.6);
    expect(rules(recoveries(3), 0.5, false).score).toBe(0.5);
    expect(rules(recoveries(3), 0.95).score).toBe(1);
  });

  it('takes 0.1 for tools of one name, down to 0, and nothing where there is no tool', () => {
    expect(rules(['tool_call:a', 'thought:a']).score).toBe(0.4);
    expect(rules(['tool_call:a', 'thought'], 0.05).score).toBe(0);
    expect(rules(['tool_call:a', 'tool_call:b']).score).toBe(0.5);
    expect(rules(['tool_call', 'thought']).score).toBe(0.5);
  });

  it('applies the bonus before the penalty', () => {
    const { overrides, score } = rules(
      ['error_recovery:a', 'error_recovery', 'error_recovery'],
      0.98,
    );
    expect(overrides).toEqual([
      { rule: 'error_recovery_bonus', before: 0.98, after: 1 },
      { rule: 'low_tool_diversity', before: 1, after: 0.9 },
    ]);
    expect(score).toBe(0.9);
  });
});
