import { describe, expect, it } from 'bun:test';
import { stepsOf, traceWith } from '../test/traces.ts';
import { FormulaError, ProfileError, ScorerOptionError } from './errors.ts';
import { compositeScore } from './formula.ts';
import { createScorer } from './scorer.ts';
import type { ScorerOptions } from './scorer-options.ts';

const trace = traceWith({ steps: stepsOf('thought', 'tool_call:a', 'tool_call:b') });

const brevity: ScorerOptions = {
  embedder: null,
  dimensions: { brevity: (_, { steps }) => 1 / steps },
  profiles: {
    default: {
      complexity: 0.2,
      novelty: 0.2,
      toolDiversity: 0.2,
      outcomeConfidence: 0.2,
      brevity: 0.2,
    },
  },
};

describe('dimensions of the user’s own', () => {
  it('count as the profile says, and are in the report by name', async () => {
    const report = await createScorer(brevity).evaluate(traceWith({ domain: 'any' }));
    const finance = await createScorer(brevity).evaluate(trace);
    expect(report.dimensions.brevity).toBeCloseTo(1 / 5, 12);
    expect(report.contributions.brevity).toBeCloseTo(0.2 / 5, 12);
    // 0.425, 0.5, 1, 0.92 and 0.2, a fifth each.
    expect(report.composite).toBeCloseTo((0.425 + 0.5 + 1 + 0.92 + 0.2) / 5, 12);
    expect(report.formula.own).toEqual({
      dimensions: ['brevity'],
      rules: [],
      profiles: ['default'],
    });
    const { dimensions, weights, formula, composite } = report;
    expect(compositeScore(dimensions, weights, formula.own.dimensions)).toBe(composite);
    // A built-in profile does not name it.
    expect(finance.contributions.brevity).toBe(0);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report as never);
  });

  it.each([
    ['no number', () => '1', 'dimension "own": expected a number from 0 to 1, received "1"'],
    ['NaN', () => Number.NaN, 'dimension "own": expected a number from 0 to 1, received NaN'],
    ['too little', () => -0.01, 'dimension "own": expected a number from 0 to 1, received -0.01'],
    ['too much', () => 1.5, 'dimension "own": expected a number from 0 to 1, received 1.5'],
    ['a promise', async () => 1, 'dimension "own": expected a number from 0 to 1, received an'],
    [
      'a failure',
      () => {
        throw new Error('no such step');
      },
      'dimension "own": expected a number from 0 to 1, received no such step',
    ],
  ])('refuse %s', async (_, own, message) => {
    const scorer = createScorer({ embedder: null, dimensions: { own: own as never } });
    await expect(scorer.evaluate(trace)).rejects.toBeInstanceOf(FormulaError);
    await expect(scorer.evaluate(trace)).rejects.toThrow(message);
  });

  it('may be anything from 0 to 1, and count nothing in a profile that does not name them', async () => {
    const even = { complexity: 0.25, novelty: 0.25, toolDiversity: 0.25, outcomeConfidence: 0.25 };
    const scorer = createScorer({
      embedder: null,
      dimensions: { least: () => 0, most: () => 1 },
      profiles: { default: { ...even, outcomeConfidence: 0, least: 0.25 } },
    });
    const { dimensions, weights, composite } = await scorer.evaluate(traceWith({ domain: 'any' }));
    expect(dimensions).toMatchObject({ least: 0, most: 1 });
    expect(weights).toMatchObject({ least: 0.25, most: 0 });
    // A quarter of 0.425, 0.5, 1 and 0.
    expect(composite).toBeCloseTo(0.48125, 12);
  });

  it.each([
    [null, 'dimensions: expected an object of functions by name, received null'],
    [5, 'dimensions: expected an object of functions by name, received 5'],
    [[], 'dimensions: expected an object of functions by name, received an empty array'],
    [{ novelty: () => 1 }, 'dimensions: expected names other than complexity, novelty, '],
    [{ constructor: 1 }, 'and those of every object, received "constructor"'],
    [{ 'a b': () => 1 }, 'dimensions: expected names of letters, digits, - and _'],
    [{ brevity: 0.5 }, 'dimensions.brevity: expected a function, received 0.5'],
  ])('are refused at once: %p', (dimensions, message) => {
    const options = { embedder: null, dimensions: dimensions as never };
    expect(() => createScorer(options)).toThrow(ScorerOptionError);
    expect(() => createScorer(options)).toThrow(message);
  });

  it('must be named as they are by the profiles', () => {
    const { profiles } = brevity;
    expect(() => createScorer({ embedder: null, profiles })).toThrow(ProfileError);
    expect(() => createScorer({ embedder: null, profiles })).toThrow(
      'profile "default": expected weights of complexity, novelty, toolDiversity, ' +
        'outcomeConfidence, received "brevity"',
    );
  });
});

describe('rules of the user’s own', () => {
  it('apply after the three, in order, and are in the report by name', async () => {
    const scorer = createScorer({
      embedder: null,
      rules: [
        { name: 'halved', applies: () => true, change: (score) => score / 2 },
        { name: 'never', applies: (_, { success }) => !success, change: () => 0 },
        { name: 'floor', applies: ({ id }) => id !== '', change: (score) => Math.max(0.3, score) },
      ],
    });
    const lonely = traceWith({ steps: stepsOf('thought') });
    const { overrides, score, formula } = await scorer.evaluate(lonely);
    expect(overrides.slice(1)).toEqual([
      { rule: 'halved', before: 0.1, after: 0.05 },
      { rule: 'floor', before: 0.05, after: 0.3 },
    ]);
    expect(overrides[0]?.rule).toBe('single_thought');
    expect(score).toBe(0.3);
    expect(formula.own.rules).toEqual(['halved', 'never', 'floor']);
  });

  it('replace a built-in rule of the same name, in its place', async () => {
    const scorer = createScorer({
      embedder: null,
      rules: [{ name: 'single_thought', applies: () => false, change: () => 0 }],
    });
    const report = await scorer.evaluate(traceWith({ steps: stepsOf('thought') }));
    expect(report.overrides).toEqual([]);
    expect(report.score).toBe(report.composite);
    expect(report.formula.own.rules).toEqual(['single_thought']);
  });

  it.each([
    ['NaN', { applies: () => true, change: () => Number.NaN }, 'a score from 0 to 1, received NaN'],
    ['2', { applies: () => true, change: () => 2 }, 'a score from 0 to 1, received 2'],
    ['less than 0', { applies: () => true, change: () => -1 }, 'a score from 0 to 1, received -1'],
    [
      'text',
      { applies: () => true, change: () => '1' as never },
      'a score from 0 to 1, received "1',
    ],
    [
      'a failure',
      {
        applies: () => {
          throw new Error('oops');
        },
        change: () => 0,
      },
      'an answer, received oops',
    ],
  ])('refuse %s', async (_, functions, message) => {
    const scorer = createScorer({ embedder: null, rules: [{ name: 'own', ...functions }] });
    await expect(scorer.evaluate(trace)).rejects.toThrow(`rule "own": expected ${message}`);
  });

  it.each([0, 1])('may change the score to %d', async (end) => {
    const rules = [{ name: 'own', applies: () => true, change: () => end }];
    expect((await createScorer({ embedder: null, rules }).evaluate(trace)).score).toBe(end);
  });

  it.each([
    [[null], 'rules[0].name: expected text of letters, digits, - and _, received nothing'],
    [[rule(null)], 'rules[0].name: expected text of letters, digits, - and _, received null'],
    [[rule('1a')], 'rules[0].name: expected text of letters, digits, - and _, received "1a"'],
    [
      [rule('a'), { name: 'b', applies: () => true }],
      'rules[1].change: expected a function, received nothing',
    ],
    [{}, 'rules: expected an array of rules, received an object'],
    [[{}], 'rules[0].name: expected text of letters, digits, - and _, received nothing'],
    [[{ name: 'a', change: () => 1 }], 'rules[0].applies: expected a function, received nothing'],
    [[rule('a'), rule('a')], 'rules: expected each name once, received "a"'],
  ])('are refused at once: %p', (rules, message) => {
    expect(() => createScorer({ embedder: null, rules: rules as never })).toThrow(message);
  });
});

describe('the formula', () => {
  it('says when the length is capped', async () => {
    const { formula } = await createScorer({ embedder: null, lengthCreditCap: 0.2 }).score(trace);
    expect(formula.lengthCreditCap).toBe(0.2);
  });

  it('cannot be changed by whoever has a report', async () => {
    const { formula, weights } = await createScorer(brevity).evaluate(trace);
    for (const part of [formula, formula.own, formula.own.dimensions, weights]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

function rule(name: unknown): object {
  return { name, applies: () => true, change: (score: number) => score };
}
