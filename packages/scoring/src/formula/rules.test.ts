import { describe, expect, it } from 'bun:test';
import { stepsOf, traceWith } from '../../test/traces.ts';
import { applyOverrides } from './apply-rules.ts';
import { BUILT_IN_RULES } from './rules.ts';

const rules = (kinds: string[], composite = 0.5, success = true) =>
  applyOverrides(composite, traceWith({ steps: stepsOf(...kinds), success }));
const recoveries = (count: number): string[] =>
  Array.from({ length: count }, () => 'error_recovery');

describe('applyOverrides', () => {
  it('sets a single thought to 0.1 and reports the change', () => {
    expect(rules(['thought'])).toEqual({
      score: 0.1,
      overrides: [
        {
          rule: 'single_thought',
          label: 'a single thought',
          effect: { set: 0.1 },
          before: 0.5,
          after: 0.1,
        },
      ],
    });
  });

  it('scores a single thought with one tool 0: the first rule, then the third', () => {
    const { score, overrides } = rules(['thought:search']);
    expect(score).toBe(0);
    expect(overrides.map(({ rule }) => rule)).toEqual(['single_thought', 'low_tool_diversity']);
  });

  it('does not change a single step of another type, or two thoughts', () => {
    expect(rules(['observation']).overrides).toEqual([]);
    expect(rules(['thought', 'thought']).overrides).toEqual([]);
  });

  it('adds the bonus for at least three recoveries after success, up to 1', () => {
    expect(rules(recoveries(2)).score).toBe(0.5);
    expect(rules(recoveries(3)).score).toBe(0.6);
    expect(rules(recoveries(3), 0.5, false).score).toBe(0.5);
    expect(rules(recoveries(3), 0.95).score).toBe(1);
  });

  it('subtracts 0.1 for tools with one name, down to 0, and nothing without tools', () => {
    expect(rules(['tool_call:a', 'thought:a']).score).toBe(0.4);
    expect(rules(['tool_call:a', 'thought'], 0.05).score).toBe(0);
    expect(rules(['tool_call:a', 'tool_call:b']).score).toBe(0.5);
    expect(rules(['tool_call', 'thought']).score).toBe(0.5);
  });

  it('applies the bonus before the penalty', () => {
    const { overrides, score } = rules(['error_recovery:a', ...recoveries(2)], 0.98);
    expect(overrides).toMatchObject([
      { rule: 'error_recovery_bonus', effect: { add: 0.1 }, before: 0.98, after: 1 },
      { rule: 'low_tool_diversity', effect: { add: -0.1 }, before: 1, after: 0.9 },
    ]);
    expect(score).toBe(0.9);
  });
});

it('the built-in rules cannot be changed through a report', () => {
  for (const rule of BUILT_IN_RULES) {
    expect(Object.isFrozen(rule) && Object.isFrozen(rule.effect)).toBe(true);
  }
});
