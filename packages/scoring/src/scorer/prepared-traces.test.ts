import { describe, expect, it } from 'bun:test';
import { VectorCache } from '@kp/vector-cache';
import fc from 'fast-check';
import { collect, quick } from '../../test/slow-parts.ts';
import { financeTrace, traceWith } from '../../test/traces.ts';
import type { ScoreReport } from '../formula/score-report.ts';
import type { NoveltyMemory } from '../novelty/novelty-memory.ts';
import type { GivenTraces } from './evaluate-all.ts';
import { prepareTrace } from './prepared-trace.ts';
import { createScorer } from './scorer.ts';
import type { ScorerOptions } from './scorer-options.ts';

const traces = Array.from({ length: 40 }, (_, index) =>
  traceWith({ id: `kp:trace:${index % 30}`, objective: index === 7 ? ' ' : `task ${index % 7}` }),
);
const untimed = (reports: readonly ScoreReport[]) =>
  reports.map((report) => ({ ...report, elapsedMs: 0 }));

/** A memory whose methods all return promises. */
function asynchronousMemory(): NoveltyMemory {
  const cache = new VectorCache({ dimensions: 16, maxElements: 10 });
  return {
    nearest: async (vector) => cache.nearest(vector),
    add: async (vector, key) => cache.add(vector, key),
    forget: async (key) => cache.delete(key),
    get size() {
      return Promise.resolve(cache.size);
    },
  };
}

/** A memory that compares and remembers in one step. */
function atomicMemory(): NoveltyMemory {
  const cache = new VectorCache({ dimensions: 16, maxElements: 10 });
  return {
    nearest: () => undefined,
    add: () => undefined,
    compareAndRemember: (entries) =>
      entries.map(({ vector, key }) => {
        const answer = { nearest: cache.nearest(vector), comparedWith: cache.size };
        cache.add(vector, key);
        return answer;
      }),
  };
}

/** Puts stretches of the traces, of these lengths in turn, into arrays of prepared ones. */
async function grouped(lengths: readonly number[], embeds: boolean): Promise<GivenTraces[]> {
  const given: GivenTraces[] = [];
  const embedder = embeds ? quick() : null;
  for (let at = 0, turn = 0; at < traces.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    const part = traces.slice(at, at + length);
    if (turn % 2 === 0) given.push(...part);
    else given.push(await Promise.all(part.map((trace) => prepareTrace(trace, embedder))));
    at += length;
  }
  return given;
}

describe('prepareTrace', () => {
  const invalid = traceWith({ confidence: '7' as never });

  it('rejects a trace that is not valid, unless it was validated before', async () => {
    await expect(prepareTrace(invalid, quick())).rejects.toMatchObject({
      code: 'TRACE_INVALID',
      message: expect.stringContaining('outcome.confidence'),
    });
    const { facts } = await prepareTrace(invalid, null, { validated: true });
    expect(facts.confidence).toBe('7' as never);
  });

  it('rejects an unknown option', async () => {
    const prepared = prepareTrace(financeTrace, null, { valid: true } as never);
    await expect(prepared).rejects.toThrow('options: expected validated, received "valid"');
  });
});

describe('evaluateAll with prepared traces', () => {
  const kinds: readonly (readonly [string, () => ScorerOptions])[] = [
    ['the default memory', () => ({ embedder: quick() })],
    [
      'an asynchronous memory that replaces',
      () => ({ embedder: quick(), memory: asynchronousMemory(), sameId: 'replace' }),
    ],
    ['an atomic memory', () => ({ embedder: quick(), memory: atomicMemory() })],
    ['no embedder', () => ({ embedder: null })],
  ];
  it.each(kinds)('yields what the traces themselves yield, with %s', async (_, options) => {
    const alone = untimed(await collect(createScorer(options()).evaluateAll(traces)));
    const lengths = fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 5 });
    const property = fc.asyncProperty(
      lengths,
      fc.integer({ min: 1, max: 5 }),
      async (chosen, concurrency) => {
        const given = await grouped(chosen, options().embedder !== null);
        const reports = await collect(createScorer(options()).evaluateAll(given, { concurrency }));
        expect(untimed(reports)).toEqual(alone);
      },
    );
    await fc.assert(property, { numRuns: 15 });
  });

  it('reports each entry at which the memory fails, and continues', async () => {
    const cache = new VectorCache({ dimensions: 16 });
    let calls = 0;
    const memory: NoveltyMemory = {
      nearest(vector) {
        if (calls++ % 3 === 1) throw new Error('no connection');
        return cache.nearest(vector);
      },
      add: (vector, key) => cache.add(vector, key),
    };
    const warnings: string[] = [];
    const scorer = createScorer({
      embedder: quick(),
      memory,
      onWarning: ({ code }) => warnings.push(code),
    });
    const prepared = await Promise.all(
      traces.slice(0, 6).map((trace) => prepareTrace(trace, quick())),
    );
    const reports = await collect(scorer.evaluateAll([prepared]));
    expect(reports.map(({ novelty }) => novelty.source).join(' ')).toBe(
      'empty_memory memory_failed nearest nearest memory_failed nearest',
    );
    expect(reports[1]?.novelty.failure?.code).toBe('MEMORY_FAILED');
    expect(warnings).toEqual(['MEMORY_FAILED', 'MEMORY_FAILED']);
  });

  it('ends with the reason of the signal while a memory hangs', async () => {
    const stop = new AbortController();
    const memory: NoveltyMemory = {
      nearest: () => new Promise(() => undefined),
      add: () => undefined,
    };
    const scorer = createScorer({ embedder: quick(), memory });
    const prepared = await Promise.all(traces.map((trace) => prepareTrace(trace, quick())));
    const reports = collect(scorer.evaluateAll([prepared], { signal: stop.signal }));
    stop.abort(new Error('enough'));
    await expect(reports).rejects.toThrow('enough');
    await scorer.close();
  });

  it.each([
    ['id', { id: undefined }, 'id: expected text, received nothing'],
    ['facts', { facts: undefined }, 'facts.success: expected true or false, received nothing'],
    ['success', { facts: { success: 1 } }, 'facts.success: expected true or false, received 1'],
    [
      'confidence',
      { facts: { success: true, confidence: '7' } },
      'facts.confidence: expected a number from 0 to 1, received "7"; an array in traces holds what',
    ],
    ['embedder', { embedder: 'm' }, 'expected traces prepared with embedder null, received "m"'],
  ])('rejects a prepared trace of another %s', async (_, change, message) => {
    const prepared = { ...(await prepareTrace(financeTrace, null)), ...change };
    const reports = collect(createScorer({ embedder: null }).evaluateAll([[prepared as never]]));
    await expect(reports).rejects.toThrow(message);
  });

  it('rejects null in an array', async () => {
    const reports = collect(createScorer({ embedder: null }).evaluateAll([[null as never]]));
    await expect(reports).rejects.toThrow('prepared trace: id: expected text, received nothing');
  });

  it('rejects traces for another embedder, and formulas that need the trace', async () => {
    const prepared = [await prepareTrace(traces[0] as never, quick())];
    for (const options of [
      { embedder: null },
      { embedder: quick(), rules: [{ name: 'own', applies: () => true, effect: { set: 1 } }] },
      { embedder: quick(), dimensions: { own: () => 1 } },
    ] satisfies ScorerOptions[]) {
      const reports = collect(createScorer(options).evaluateAll([prepared]));
      await expect(reports).rejects.toMatchObject({ name: 'ScorerOptionError' });
    }
  });
});
