import { describe, expect, it } from 'bun:test';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { VectorCache } from '@kp/vector-cache';
import { batching, never, numbered, quick, unlimited } from '../../test/slow-parts.ts';
import { later } from '../../test/stand-in-embedder.ts';
import { financeTrace } from '../../test/traces.ts';
import type { NoveltySource, ScoreReport } from '../formula/score-report.ts';
import type { MemoryEntry, NoveltyMemory } from '../novelty/novelty-memory.ts';
import { createScorer } from './scorer.ts';
import type { ScorerWarning } from './warnings.ts';

useVirtualTime();

const silent = { onWarning: () => undefined };
const sourceOf = ({ novelty }: ScoreReport): NoveltySource => novelty.source;

describe('a memory that returns bad data', () => {
  it('is named in the error and its result is ignored', async () => {
    class LyingStore {
      size = 3;
      nearest = () => ({ similarity: 7 });
      add = () => undefined;
    }
    const warnings: string[] = [];
    const onWarning = ({ code }: ScorerWarning): unknown => warnings.push(code);
    const scorer = createScorer({ embedder: quick(), memory: new LyingStore(), onWarning });
    const { score, dimensions, novelty } = await scorer.evaluate(financeTrace);
    expect(score).toBeCloseTo(0.724, 12);
    expect(dimensions.novelty).toBe(0.5);
    expect(novelty.source).toBe('memory_failed');
    expect(novelty.failure).toEqual({
      code: 'MEMORY_ANSWER_INVALID',
      message: 'memory LyingStore: nearest: expected a similarity from -1 to 1, received 7',
    });
    expect(warnings).toEqual(['MEMORY_FAILED']);
  });
});

describe('a memory that hangs or fails', () => {
  it('does not delay the score and fails on timeout', async () => {
    const signals: AbortSignal[] = [];
    const memory: NoveltyMemory = {
      nearest(_, options) {
        if (options?.signal) signals.push(options.signal);
        return never();
      },
      add: () => undefined,
    };
    const settings = { embedder: quick(), memory, ...silent, operationTimeoutMs: 60 };
    const hurried = createScorer({ ...settings, budgetMs: 20 });
    expect(sourceOf(await hurried.evaluate(financeTrace))).toBe('budget_exceeded');
    const patient = createScorer({ ...settings, ...unlimited });
    const { novelty } = await patient.evaluate(financeTrace);
    expect(novelty.source).toBe('memory_failed');
    expect(novelty.failure).toEqual({
      code: 'OPERATION_TIMEOUT',
      message:
        'memory: nearest: expected an answer within 60 ms, received none; ' +
        'find out why it hangs, or set a longer operationTimeoutMs',
    });
    await later(60, () => expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]));
  });

  it('is called again for the next trace', async () => {
    let hanging = true;
    const cache = new VectorCache({ dimensions: 16 });
    const memory = {
      get size() {
        return cache.size;
      },
      nearest: (vector: Float32Array) => (hanging ? never() : cache.nearest(vector)),
      add: (vector: Float32Array, key: string) => cache.add(vector, key),
    };
    const scorer = createScorer({
      embedder: quick(),
      memory,
      ...unlimited,
      ...silent,
      operationTimeoutMs: 20,
    });
    expect(sourceOf(await scorer.evaluate(numbered(1)))).toBe('memory_failed');
    hanging = false;
    expect(sourceOf(await scorer.evaluate(numbered(2)))).toBe('empty_memory');
  });

  it('does not make evaluations reject', async () => {
    const dead = () => Promise.reject(new Error('connection refused'));
    const memory = { size: 1, nearest: dead, add: dead, compareAndRemember: dead };
    const scorer = createScorer({ embedder: quick(), memory, ...silent });
    const reports = await Promise.all(
      Array.from({ length: 50 }, (_, index) => scorer.evaluate(numbered(index))),
    );
    expect(new Set(reports.map(sourceOf))).toEqual(new Set(['memory_failed']));
    expect(sourceOf(await scorer.score(numbered(1)))).toBe('memory_failed');
  });
});

describe('a memory that takes 5 ms', () => {
  it('is called in batches, so that 100 concurrent evaluations keep the budget', async () => {
    const batches: number[] = [];
    const scorer = createScorer({ embedder: quick(), memory: batching(5, batches), budgetMs: 200 });
    const reports = await Promise.all(
      Array.from({ length: 100 }, (_, index) => scorer.evaluate(numbered(index % 60))),
    );
    expect(reports.filter(({ withinBudget }) => withinBudget)).toHaveLength(100);
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(100);
    expect(batches.length).toBeLessThan(10);
    // As with sequential calls, each of the 60 traces is compared with the earlier ones, and each
    // repeat with its first occurrence.
    expect(reports.map(({ novelty }) => novelty.comparedWith)).toEqual(
      Array.from({ length: 100 }, (_, index) => index),
    );
    for (const [index, { novelty }] of reports.slice(60).entries()) {
      expect(novelty.nearest?.key).toBe(`kp:trace:${index}`);
      expect(novelty.nearest?.similarity).toBeCloseTo(1, 5);
    }
  });

  it('loses only the traces that it cannot keep', async () => {
    const sizes: number[] = [];
    const inner = batching(0);
    const memory: NoveltyMemory = {
      ...inner,
      async compareAndRemember(entries, options) {
        sizes.push(entries.length);
        const refused = entries.find(({ key }) => /:[36]$/.test(key));
        if (refused === undefined) return inner.compareAndRemember?.(entries, options) ?? [];
        throw Object.assign(new Error(`key ${refused.key}`), { code: 'MEMORY_ENTRY_INVALID' });
      },
    };
    const scorer = createScorer({ embedder: quick(), memory, ...silent, ...unlimited });
    const first = scorer.evaluate(numbered(0));
    const rest = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => scorer.evaluate(numbered(index)));
    const reports = await Promise.all([first, ...rest]);
    const failed = reports.filter((report) => sourceOf(report) === 'memory_failed');
    expect(failed.map(({ traceId }) => traceId)).toEqual(['kp:trace:3', 'kp:trace:6']);
    expect(failed[1]?.novelty.failure?.message).toContain('key kp:trace:6');
    expect(reports.map(({ novelty }) => novelty.comparedWith)).toEqual([
      ...[0, 1, 2, undefined, 3, 4, undefined, 5, 6],
    ]);
    expect(sizes.slice(0, 3)).toEqual([1, 8, 4]);
  });

  it('compares in batches if nothing is remembered in between', async () => {
    const scorer = createScorer({ embedder: quick(), memory: batching(5), budgetMs: 200 });
    await scorer.remember(numbered(0));
    const reports = await Promise.all(
      Array.from({ length: 100 }, (_, index) => scorer.score(numbered(index))),
    );
    expect(new Set(reports.map(sourceOf))).toEqual(new Set(['nearest']));
  });

  it('receives an operation id for each entry, and sameId', async () => {
    const asked: { entries: readonly MemoryEntry[]; options: unknown }[] = [];
    const memory: NoveltyMemory = {
      nearest: () => undefined,
      add: () => undefined,
      compareAndRemember(entries, options) {
        asked.push({ entries, options: { ...options } });
        return entries.map(() => ({}));
      },
    };
    const scorer = createScorer({ embedder: quick(), memory, sameId: 'replace' });
    await Promise.all([scorer.evaluate(numbered(1)), scorer.evaluate(numbered(1))]);
    const ids = asked.flatMap(({ entries }) => entries.map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(asked[0]?.options).toMatchObject({ sameId: 'replace' });
  });
});

describe('sameId', () => {
  it('compare: compares a repeat with the first entry', async () => {
    const scorer = createScorer({ embedder: quick() });
    await scorer.evaluate(numbered(1));
    expect((await scorer.evaluate(numbered(1))).dimensions.novelty).toBeCloseTo(0, 5);
  });

  it('replace: repeated traces change no score', async () => {
    const memory = new VectorCache({ dimensions: 16 });
    const scorer = createScorer({ embedder: quick(), memory, sameId: 'replace', ...unlimited });
    const first: ScoreReport[] = [];
    for (let index = 0; index < 5; index++) first.push(await scorer.evaluate(numbered(index)));
    const again = await scorer.evaluate(numbered(4));
    expect(again.novelty).toEqual(first[4]?.novelty as never);
    expect(memory.size).toBe(5);
  });

  it('replace: rejects a memory that cannot remove an entry', () => {
    const memory = { nearest: () => undefined, add: () => undefined };
    expect(() => createScorer({ embedder: quick(), memory, sameId: 'replace' })).toThrow(
      "memory: expected an object with forget() or compareAndRemember(), for sameId 'replace'",
    );
  });
});
