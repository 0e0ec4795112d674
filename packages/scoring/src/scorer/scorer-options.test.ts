import { describe, expect, it } from 'bun:test';
import { VectorCache } from '@kp/vector-cache';
import { ScorerOptionError } from '../formula/errors.ts';
import { checkMilliseconds, checkSignal, resolveScorerOptions } from './scorer-options.ts';

const embedder = { id: 'none', dimensions: 3, embed: async () => [] };
/** A memory that cannot forget. */
const remembering: object = { nearest: () => undefined, add: () => undefined };

describe('the options of a scorer', () => {
  it('have the documented defaults', () => {
    const resolved = resolveScorerOptions({ embedder });
    expect(resolved).toMatchObject({
      budgetMs: 100,
      operationTimeoutMs: 30_000,
      ownsEmbedder: false,
      onWarning: undefined,
      lookup: { embedder, sameId: 'compare', operationTimeoutMs: 30_000, maxPending: 1024 },
      formula: {
        identity: { name: 'knowledgepulse', version: '1' },
        lengthCreditCap: Infinity,
        dimensions: [],
      },
    });
    const memory = resolved.lookup?.memory as VectorCache;
    expect(memory).toBeInstanceOf(VectorCache);
    expect(memory).toMatchObject({ maxElements: 1000, dimensions: 3, embedderId: 'none' });
    expect(resolved.formula.identity).not.toHaveProperty('lengthCreditCap');
  });

  it('accept the smallest values allowed', () => {
    const resolved = resolveScorerOptions({
      embedder: { ...embedder, dimensions: 1 },
      budgetMs: 0.001,
      operationTimeoutMs: 0.001,
      maxPending: 1,
      lengthCreditCap: 0,
    });
    expect(resolved).toMatchObject({ budgetMs: 0.001, operationTimeoutMs: 0.001 });
    expect(resolved.lookup).toMatchObject({ maxPending: 1, operationTimeoutMs: 0.001 });
    expect(resolved.formula.identity.lengthCreditCap).toBe(0);
  });

  it('own only the default embedder', () => {
    expect(resolveScorerOptions({}).ownsEmbedder).toBe(true);
    expect(resolveScorerOptions({ embedder: null })).toMatchObject({
      ownsEmbedder: false,
      lookup: null,
    });
  });

  it.each([
    [{ maxPending: 0 }, 'maxPending: expected a whole number above 0, received 0'],
    [{ maxPending: 1.5 }, 'maxPending: expected a whole number above 0, received 1.5'],
    [{ maxPending: Infinity }, 'maxPending: expected a whole number above 0, received Infinity'],
    [{ lengthCreditCap: -0.001 }, 'lengthCreditCap: expected a number of at least 0'],
    [{ lengthCreditCap: NaN }, 'lengthCreditCap: expected a number of at least 0'],
    [{ lengthCreditCap: '1' }, 'lengthCreditCap: expected a number of at least 0'],
    [{ sameId: 'keep' }, "sameId: expected 'compare' or 'replace'"],
    [{ onWarning: 'log' }, 'onWarning: expected a function'],
    [
      { bugetMs: 5 },
      'options: expected one of embedder, memory, sameId, budgetMs, operationTimeoutMs, maxPending, ' +
        'onWarning, profiles, dimensions, rules, lengthCreditCap, limits, received "bugetMs"; ' +
        'did you mean budgetMs?',
    ],
    [{ memory: { nearest: () => undefined } }, 'memory: expected an object with nearest()'],
    [{ memory: { add: () => undefined } }, 'memory: expected an object with nearest()'],
    [
      { sameId: 'replace', memory: remembering },
      "memory: expected an object with forget() or compareAndRemember(), for sameId 'replace'",
    ],
    [{ memory: null }, 'memory: expected an object with nearest()'],
    [{ embedder: { id: 'x', dimensions: 3 } }, 'embedder: expected an object with embed()'],
    [{ embedder: 5 }, 'embedder: expected an object with embed(), received 5'],
    [{ embedder: {} }, 'embedder: expected an object with embed(), received an object'],
    [{ embedder: { ...embedder, id: 5 } }, 'embedder.id: expected text, received 5'],
    [{ embedder: { ...embedder, dimensions: 0 } }, 'embedder.dimensions: expected a whole number'],
    [{ embedder: { ...embedder, dimensions: 1.5 } }, 'embedder.dimensions: expected a whole'],
  ])('reject %p', (wrong, message) => {
    const options = { embedder, ...wrong } as never;
    expect(() => resolveScorerOptions(options)).toThrow(ScorerOptionError);
    expect(() => resolveScorerOptions(options)).toThrow(message);
  });

  it.each([[null], [5], ['none'], [[]], [new Map()]])('reject %p', (options) => {
    expect(() => resolveScorerOptions(options as never)).toThrow('options: expected an object');
  });

  it('accept a signal of another realm', () => {
    const { signal } = new AbortController();
    expect(() => checkSignal(signal)).not.toThrow();
    const [addEventListener, throwIfAborted] = [() => undefined, () => undefined];
    expect(() => checkSignal({ addEventListener, throwIfAborted })).not.toThrow();
    for (const half of [{ addEventListener }, { throwIfAborted }, undefined, null, 5]) {
      expect(() => checkSignal(half)).toThrow('signal: expected an AbortSignal');
    }
  });

  it.each([0, -1, Number.NaN, '100', undefined, null])('reject %p milliseconds', (value) => {
    expect(() => checkMilliseconds('budgetMs', value)).toThrow('milliseconds above 0, or Infinity');
  });

  it.each([Number.MIN_VALUE, 1, Infinity])('accept %p milliseconds', (value) => {
    expect(() => checkMilliseconds('budgetMs', value)).not.toThrow();
  });
});
