import { describe, expect, it } from 'bun:test';
import type { ReasoningTrace } from '@kp/schema';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { VectorCache } from '@kp/vector-cache';
import { collect, countedSource, never, numbered, quick } from '../../test/slow-parts.ts';
import { hashedVector, later, standInEmbedder } from '../../test/stand-in-embedder.ts';
import { financeTrace, traceWith } from '../../test/traces.ts';
import { ScorerOptionError } from '../formula/errors.ts';
import type { EvaluateAllOptions } from './evaluate-all.ts';
import { createScorer } from './scorer.ts';

useVirtualTime();

const traces = Array.from({ length: 50 }, (_, index) =>
  traceWith({ id: `kp:trace:${index}`, objective: `task ${index % 7}` }),
);
const ids = (count: number): string[] => traces.slice(0, count).map(({ id }) => id);
const broken = { ...financeTrace, steps: [] };
const taking = (milliseconds: number) =>
  standInEmbedder(16, (text) => later(milliseconds, () => hashedVector(text, 16)));

describe('evaluateAll', () => {
  it('yields the same reports in order as single calls of evaluate', async () => {
    const slow = standInEmbedder(16, (text) =>
      later(Math.random() * 5, () => hashedVector(text, 16)),
    );
    const streamed = await collect(
      createScorer({ embedder: slow }).evaluateAll(traces, { concurrency: 8 }),
    );
    const scorer = createScorer({ embedder: quick() });
    for (const [index, trace] of traces.entries()) {
      const { score, novelty } = await scorer.evaluate(trace);
      expect(streamed[index]).toMatchObject({ traceId: trace.id, score, novelty });
    }
  });

  it('awaits promises of traces one by one, like for await', async () => {
    const promised = [later(2, () => financeTrace), Promise.reject(new Error('not available'))];
    for (const promise of promised) promise.catch(() => undefined);
    const reports = createScorer({ embedder: null })
      .evaluateAll(promised as unknown as Iterable<ReasoningTrace>)
      [Symbol.asyncIterator]();
    expect((await reports.next()).value).toMatchObject({ traceId: financeTrace.id });
    await expect(reports.next()).rejects.toThrow('not available');
  });

  it('reads no further ahead than its concurrency', async () => {
    const { calls, source } = countedSource(50);
    let reported = 0;
    for await (const _ of createScorer({ embedder: quick() }).evaluateAll(source, {
      concurrency: 4,
    })) {
      reported++;
      expect(calls.next - reported).toBeLessThan(4);
    }
    expect(reported).toBe(50);
  });

  it.each([
    [undefined, 16],
    [1, 1],
  ])('with the concurrency %p runs %d evaluations in parallel', async (concurrency, running) => {
    const embedder = standInEmbedder(16, never);
    const scorer = createScorer({ embedder });
    const reports = scorer.evaluateAll(traces, { concurrency }) as AsyncGenerator<unknown>;
    void reports.next();
    await later(5, () => undefined);
    expect(embedder.asked).toHaveLength(running);
    await reports.return(undefined);
  });

  it('yields a report while the source is pending', async () => {
    const release = Promise.withResolvers<void>();
    async function* source(): AsyncGenerator<ReasoningTrace> {
      yield financeTrace;
      await release.promise;
      yield financeTrace;
    }
    const reports = createScorer({ embedder: null }).evaluateAll(source())[Symbol.asyncIterator]();
    expect((await reports.next()).value?.traceId).toBe(financeTrace.id);
    release.resolve();
    expect((await reports.next()).done).toBe(false);
    expect((await reports.next()).done).toBe(true);
  });

  it('sheds no calls because its concurrency limits the pending ones', async () => {
    const scorer = createScorer({ embedder: taking(1), maxPending: 2 });
    const reports = await collect(scorer.evaluateAll(traces, { concurrency: 8 }));
    expect(reports.filter(({ novelty }) => novelty.source === 'overloaded')).toEqual([]);
  });

  it('uses its own budget instead of that of the scorer', async () => {
    const sourceOf = async (budgetMs: number, options: EvaluateAllOptions): Promise<unknown> => {
      const scorer = createScorer({ embedder: taking(20), budgetMs });
      const [report] = await collect(scorer.evaluateAll([financeTrace], options));
      return report?.novelty.source;
    };
    expect(await sourceOf(5, {})).toBe('empty_memory');
    expect(await sourceOf(100, { budgetMs: 5 })).toBe('budget_exceeded');
  });

  it('remembers a trace that exceeded its budget even after the end of the stream', async () => {
    const memory = new VectorCache({ dimensions: 16 });
    const scorer = createScorer({ embedder: taking(30), memory });
    const reports = await collect(scorer.evaluateAll(traces.slice(0, 5), { budgetMs: 5 }));
    expect(reports.map(({ novelty }) => novelty.source)).toEqual(
      Array.from({ length: 5 }, () => 'budget_exceeded'),
    );
    await scorer.close();
    expect(memory.size).toBe(5);
  });

  it.each([
    [financeTrace, {}, 'traces: expected an iterable or async iterable of traces'],
    [null, {}, 'traces: expected an iterable or async iterable of traces, received null'],
    [5, {}, 'traces: expected an iterable or async iterable of traces, received 5'],
    ['abc', {}, 'traces: expected an iterable or async iterable of traces, received "abc"'],
    [{ [Symbol.iterator]: 5 }, {}, 'traces: expected an iterable or async iterable of traces'],
    [{ [Symbol.iterator]: (): null => null }, {}, 'traces: expected an iterable or async iterable'],
    [{ [Symbol.asyncIterator]: () => ({}) }, {}, 'traces: expected an iterable or async'],
    [[], null, 'options: expected an object, received null'],
    [[], 5, 'options: expected an object, received 5'],
    [[], { concurrency: 0 }, 'concurrency: expected a whole number above 0, received 0'],
    [[], { concurrency: 1.5 }, 'concurrency: expected a whole number above 0, received 1.5'],
    [[], { signal: {} }, 'signal: expected an AbortSignal, received an object'],
    [[], { budgetMs: -1 }, 'budgetMs: expected milliseconds above 0'],
    [[], { onInvalid: 'skip' }, 'onInvalid: expected a function, received "skip"'],
  ])('rejects %p with options %p', async (input, options, message) => {
    const reports = createScorer({ embedder: null }).evaluateAll(input as never, options as never);
    const failure = await collect(reports).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ScorerOptionError);
    expect(String(failure)).toContain(message);
  });
});

describe('an invalid trace in a stream', () => {
  const seen: string[] = [];
  async function run(stream: readonly unknown[], options?: EvaluateAllOptions) {
    seen.length = 0;
    const embedder = quick();
    const scorer = createScorer({ embedder });
    const reports = scorer.evaluateAll(stream as readonly ReasoningTrace[], options);
    for await (const { traceId } of reports) seen.push(traceId);
    return embedder;
  }

  it('ends the stream with its error after all earlier reports', async () => {
    const stream = [...traces.slice(0, 3), broken, ...traces];
    await expect(run(stream)).rejects.toThrow('steps: expected at least 1 step');
    expect(seen).toEqual(ids(3));
  });

  it('is skipped if a handler is given', async () => {
    const invalid: number[] = [];
    const onInvalid = (_: Error, index: number): unknown => invalid.push(index);
    const embedder = await run([numbered(0), broken, numbered(1), null], { onInvalid });
    expect([seen, invalid, embedder.asked.length]).toEqual([
      ['kp:trace:0', 'kp:trace:1'],
      [1, 3],
      2,
    ]);
  });

  it('ends the stream if an async handler rejects', async () => {
    const onInvalid = () =>
      later(5, () => {
        throw new Error('no log');
      });
    const stream = [...traces.slice(0, 2), broken, ...traces];
    await expect(run(stream, { onInvalid })).rejects.toThrow('no log');
    expect(seen).toEqual(ids(2));
  });

  it('is not reported for a closed scorer', async () => {
    const scorer = createScorer({ embedder: null });
    await scorer.close();
    const onInvalid = () => expect.unreachable();
    const reports = collect(scorer.evaluateAll([financeTrace], { onInvalid }));
    await expect(reports).rejects.toThrow('closed');
  });
});
