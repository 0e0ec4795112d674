import { describe, expect, it } from 'bun:test';
import type { ReasoningTrace } from '@kp/schema';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { VectorCache } from '@kp/vector-cache';
import { collect, countedSource, done, never, numbered, quick } from '../../test/slow-parts.ts';
import { hashedVector, later, standInEmbedder } from '../../test/stand-in-embedder.ts';
import { financeTrace } from '../../test/traces.ts';
import { createScorer, type Scorer } from './scorer.ts';

useVirtualTime();

const nextTurn = (): Promise<void> => later(0, () => undefined);
const plain = createScorer({ embedder: null });
const silent = (count: number) => countedSource(count, never);
const start = (scorer: Scorer, source: AsyncIterable<ReasoningTrace>, signal?: AbortSignal) =>
  scorer.evaluateAll(source, { signal }) as AsyncGenerator<unknown>;

describe('the source of a stream', () => {
  it('is not closed if it ended or failed by itself', async () => {
    const whole = countedSource(3);
    expect(await collect(plain.evaluateAll(whole.source))).toHaveLength(3);
    expect(whole.calls).toEqual({ next: 4, return: 0 });
    const failing = countedSource(1, () => {
      throw new Error('disk gone');
    });
    const reports = start(plain, failing.source);
    expect((await reports.next()).done).toBe(false);
    await expect(reports.next()).rejects.toThrow('disk gone');
    expect(failing.calls).toEqual({ next: 2, return: 0 });
  });

  it('is closed once if a trace is invalid', async () => {
    const broken = { ...financeTrace, steps: [] };
    const { calls, source } = countedSource(1, () => ({ done: false, value: broken }));
    await expect(collect(plain.evaluateAll(source))).rejects.toThrow('steps');
    expect(calls).toEqual({ next: 2, return: 1 });
  });

  it('is closed if it is silent when an evaluation fails', async () => {
    let calls = 0;
    const change = (score: number): number => {
      // The first call only checks that the rule works.
      if (calls++ === 0) return score;
      throw new Error('no such rule');
    };
    const rules = [{ name: 'own', applies: () => true, change }];
    const scorer = createScorer({ embedder: quick(), rules });
    const stuck = silent(1);
    await expect(collect(scorer.evaluateAll(stuck.source))).rejects.toThrow('no such rule');
    expect(stuck.calls.return).toBe(1);
  });

  it('is closed if the reader stops, throws or leaves its scope', async () => {
    const left = countedSource(Infinity);
    for await (const _ of plain.evaluateAll(left.source)) break;
    await nextTurn();
    expect(left.calls.return).toBe(1);
    const thrown = countedSource(Infinity);
    const reports = start(plain, thrown.source);
    await reports.next();
    await expect(reports.throw(new Error('reader failed'))).rejects.toThrow('reader failed');
    await nextTurn();
    expect(thrown.calls.return).toBe(1);
    expect(await reports.next()).toMatchObject({ done: true });
    const scoped = countedSource(Infinity);
    {
      await using stream = start(plain, scoped.source);
      await stream.next();
    }
    expect(scoped.calls.return).toBe(1);
  });

  it('is closed and releases the reader while it is silent', async () => {
    for (const end of ['return', 'throw'] as const) {
      const { calls, source } = silent(0);
      const reports = start(plain, source);
      const waiting = reports.next();
      if (end === 'return') expect(await reports.return(undefined)).toMatchObject({ done: true });
      else await expect(reports.throw(new Error('failed'))).rejects.toThrow('failed');
      expect(await waiting).toEqual({ done: true, value: undefined });
      expect(calls.return).toBe(1);
    }
  });

  it('may throw when it is closed', async () => {
    const uncaught: unknown[] = [];
    const onUncaught = (error: unknown): void => void uncaught.push(error);
    process.on('uncaughtException', onUncaught);
    const source: AsyncIterable<ReasoningTrace> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: financeTrace }),
        return() {
          throw new Error('cannot be closed');
        },
      }),
    };
    for await (const report of plain.evaluateAll(source)) {
      expect(report.traceId).toBe(financeTrace.id);
      break;
    }
    await later(5, () => process.off('uncaughtException', onUncaught));
    expect(uncaught).toEqual([]);
  });

  it('is not read after the reader has stopped', async () => {
    const next = Promise.withResolvers<void>();
    async function* source(): AsyncGenerator<ReasoningTrace> {
      yield financeTrace;
      await next.promise;
      yield financeTrace;
    }
    const embedder = quick();
    for await (const _ of createScorer({ embedder }).evaluateAll(source())) break;
    next.resolve();
    await later(1, () => expect(embedder.asked).toHaveLength(1));
  });
});

describe('the signal of a stream', () => {
  it('ends the stream with its reason before, between and during reads', async () => {
    const early = countedSource(Infinity, done);
    const aborted = AbortSignal.abort(new Error('too late'));
    await expect(start(plain, early.source, aborted).next()).rejects.toThrow('too late');
    await nextTurn();
    expect(early.calls).toEqual({ next: 0, return: 1 });
    for (const isReading of [false, true]) {
      const controller = new AbortController();
      const reports = start(plain, silent(1).source, controller.signal);
      await reports.next();
      const reading = isReading ? reports.next() : undefined;
      controller.abort(new Error('enough'));
      await expect(reading ?? reports.next()).rejects.toThrow('enough');
    }
  });

  it('keeps traces that were read ahead out of the memory', async () => {
    const memory = new VectorCache({ dimensions: 16 });
    const embedder = standInEmbedder(16, (text) => later(10, () => hashedVector(text, 16)));
    const controller = new AbortController();
    const scorer = createScorer({ embedder, memory });
    const reports = start(scorer, countedSource(50).source, controller.signal);
    await reports.next();
    controller.abort(new Error('enough'));
    await expect(reports.next()).rejects.toThrow('enough');
    const remembered = memory.size;
    await later(50, () => expect(memory.size).toBe(remembered));
    expect(embedder.asked.length).toBeLessThan(40);
  });

  it('has a constant number of listeners, and none at the end', async () => {
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    const open = new Map<EventTarget, number>();
    let most = 0;
    const count = (target: EventTarget, change: number): void => {
      const listeners = (open.get(target) ?? 0) + change;
      open.set(target, listeners);
      most = Math.max(most, listeners);
    };
    EventTarget.prototype.addEventListener = function (this: EventTarget, ...given) {
      count(this, 1);
      return addEventListener.apply(this, given);
    };
    EventTarget.prototype.removeEventListener = function (this: EventTarget, ...given) {
      count(this, -1);
      return removeEventListener.apply(this, given);
    };
    try {
      const { signal } = new AbortController();
      for (const concurrency of [16, 100]) {
        const embedder = standInEmbedder(16, (text) => later(1, () => hashedVector(text, 16)));
        const scorer = createScorer({ embedder });
        const reports = scorer.evaluateAll(countedSource(200).source, { concurrency, signal });
        expect(await collect(reports)).toHaveLength(200);
        const calls = Array.from({ length: concurrency }, (_, index) =>
          scorer.evaluate(numbered(index), { signal }),
        );
        await Promise.all(calls);
      }
      // Node warns of a leak from eleven listeners on.
      expect(most).toBeLessThan(10);
      expect(open.get(signal)).toBe(0);
    } finally {
      Object.assign(EventTarget.prototype, { addEventListener, removeEventListener });
    }
  });
});
