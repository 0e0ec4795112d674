import { describe, expect, it } from 'bun:test';
import { parseTrace, type ReasoningTrace } from '@kp/schema';
import { financeTrace, stepsOf, traceWith } from '../../test/traces.ts';
import { createFormula, DEFAULT_FORMULA } from './formula.ts';
import { readTrace } from './read-trace.ts';
import { compositeScore, scoreTrace } from './score-trace.ts';

describe('scoreTrace', () => {
  it('scores the finance example 0.724 with novelty 0.5, as calculated by hand', () => {
    const report = scoreTrace(financeTrace, 0.5);
    expect(report.score).toBeCloseTo(0.724, 12);
    expect(report).toMatchObject({
      profile: 'finance',
      novelty: { source: 'given', truncated: false },
      facts: { steps: 5, stepTypes: 3, uniqueTools: 2, success: true, confidence: 0.92 },
      elapsedMs: 0,
      withinBudget: true,
    });
    expect(JSON.parse(JSON.stringify(report))).toEqual(report as never);
  });

  it('reports the source of a novelty, if given', () => {
    const novelty = { source: 'corpus', truncated: false, comparedWith: 3 } as const;
    const report = scoreTrace(financeTrace, { value: 0.25, report: novelty });
    expect(report.dimensions.novelty).toBe(0.25);
    expect(report.novelty).toEqual(novelty);
  });

  it('caps the length term and reports it', () => {
    const long = traceWith({ steps: stepsOf(...Array.from({ length: 40 }, () => 'thought')) });
    const capped = scoreTrace(long, 0.5, createFormula({ lengthCreditCap: 0.2 }));
    expect(capped.complexity.length).toBe(0.2);
    expect(capped.formula.lengthCreditCap).toBe(0.2);
    expect(scoreTrace(long, 0.5).complexity.length).toBeCloseTo(0.4, 12);
    expect(scoreTrace(long, 0.5).formula).not.toHaveProperty('lengthCreditCap');
  });

  it('reports a novelty without a source as given', () => {
    const report = scoreTrace(financeTrace, { value: 0.25 } as never);
    expect(report.novelty).toEqual({ source: 'given', truncated: false });
    expect(report).toEqual(scoreTrace(financeTrace, 0.25));
  });

  it.each([
    [-0.1, '-0.1'],
    [1.1, '1.1'],
    [Number.NaN, 'NaN'],
    ['0.5', '"0.5"'],
    [null, 'null'],
    [{ value: 2 }, '2'],
    [{}, 'nothing'],
  ])('rejects novelty %p', (novelty, received) => {
    expect(() => scoreTrace(financeTrace, novelty as number)).toThrow(
      `novelty: expected a number from 0 to 1, received ${received}`,
    );
  });

  it.each([null, 5, {}])('rejects %p as a formula', (formula) => {
    expect(() => scoreTrace(financeTrace, 0.5, formula as never)).toThrow(
      'formula: expected what createFormula returns, received',
    );
  });
});

describe('compositeScore', () => {
  const weights = { complexity: 0.1, novelty: 0.2, toolDiversity: 0.3, outcomeConfidence: 0.4 };

  it('is 0.04 + 0.1 + 0.03 + 0.08, plus 0.05 for a custom dimension', () => {
    const own = { complexity: 0.4, novelty: 0.5, toolDiversity: 0.1, outcomeConfidence: 0.2 };
    const styled = { ...own, style: 0.5 };
    expect(compositeScore(own, weights)).toBeCloseTo(0.25, 12);
    expect(compositeScore(styled, { ...weights, style: 0.1 }, ['style'])).toBeCloseTo(0.3, 12);
    // Both the weight and the value are missing.
    for (const other of [weights, { ...weights, other: 0.1 }]) {
      expect(compositeScore(styled, other, ['style', 'other'])).toBeCloseTo(0.25, 12);
    }
  });

  it('clamps the score to 1', () => {
    const all = { complexity: 1, novelty: 1, toolDiversity: 1, outcomeConfidence: 1 };
    expect(compositeScore(all, { ...weights, novelty: 0.2000001 })).toBe(1);
  });
});

describe('a trace that changes while it is read', () => {
  const read = (trace: unknown) => readTrace(trace as ReasoningTrace, DEFAULT_FORMULA);
  const UNSTABLE = 'expected fields that stay the same while they are read';

  it.each([
    ['id', { id: 5 }],
    ['id', { id: 'another' }],
    ['metadata', { metadata: undefined }],
    ['metadata', { metadata: { ...financeTrace.metadata, task_domain: 5 } }],
    ['metadata', { metadata: { ...financeTrace.metadata, success: 'yes' } }],
    ['task', { task: null }],
    ['task', { task: { objective: 5 } }],
    ['steps', { steps: 5 }],
    ['steps', { steps: {} }],
    ['steps', { steps: [] }],
    ['steps', { steps: [null] }],
    ['steps', { steps: [{}] }],
    ['steps', { steps: [{ type: 'toString' }] }],
    ['steps', { steps: withLength(Number.NaN) }],
    ['steps', { steps: withLength(-1) }],
    ['steps', { steps: withLength(1.5) }],
    ['outcome', { outcome: undefined }],
    ['outcome', { outcome: { ...financeTrace.outcome, confidence: '1' } }],
    ['outcome', { outcome: { ...financeTrace.outcome, confidence: -0.1 } }],
    ['outcome', { outcome: { ...financeTrace.outcome, confidence: 1.1 } }],
  ])('is rejected if its %s is first %p and then valid', (field, first) => {
    let reads = 0;
    const trace = { ...financeTrace };
    Object.defineProperty(trace, field, {
      enumerable: true,
      get: () => Reflect.get(reads++ === 0 ? first : financeTrace, field),
    });
    expect(() => read(trace)).toThrow(UNSTABLE);
  });

  it('never uses a value that was not validated, even if a getter changes its value later', () => {
    for (let honest = 0; honest < 40; honest++) {
      let reads = 0;
      const outcome = {
        result_summary: '',
        get confidence() {
          return reads++ < honest ? 0.9 : 5;
        },
      };
      try {
        expect(read({ ...financeTrace, outcome }).facts.confidence).toBe(0.9);
      } catch (error) {
        expect(String(error)).toMatch(/outcome.confidence: expected at most 1|stay the same/);
      }
    }
  });

  it.each([
    ['grows after validation', 5, 300_000],
    ['is smaller only during validation', 1e9, 1e9],
  ])('is rejected without further reads if its number of steps %s', (_, before, after) => {
    let validated = Number.POSITIVE_INFINITY;
    const reads = { length: 0, steps: 0 };
    const steps = new Proxy(financeTrace.steps, {
      get(target, name) {
        if (name !== 'length') {
          reads.steps++;
          return Reflect.get(target, name);
        }
        reads.length++;
        if (reads.length > validated + 1) return after;
        return reads.length === 1 && validated < Number.POSITIVE_INFINITY ? before : 5;
      },
    });
    const trace = { ...financeTrace, steps };
    parseTrace(trace);
    validated = reads.length;
    const perValidation = reads.steps;
    Object.assign(reads, { length: 0, steps: 0 });
    expect(() => read(trace)).toThrow(UNSTABLE);
    expect(reads.steps).toBe(perValidation);
  });

  it('may have steps without an iterator', () => {
    const steps = Object.assign([...financeTrace.steps], { [Symbol.iterator]: undefined });
    expect(read({ ...financeTrace, steps }).facts.steps).toBe(5);
  });

  it('accepts a confidence at both ends of its range', () => {
    for (const confidence of [0, 1]) {
      expect(read(traceWith({ confidence })).facts.confidence).toBe(confidence);
    }
  });
});

/** A list with one valid step that reports another length. */
function withLength(length: number): unknown {
  return new Proxy(stepsOf('thought'), {
    get: (steps, name) => (name === 'length' ? length : Reflect.get(steps, name)),
  });
}
