import { describe, expect, it } from 'bun:test';
import type { ReasoningTrace } from '@kp/schema';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { VectorCache } from '@kp/vector-cache';
import { hashedVector, later, standInEmbedder } from '../../test/stand-in-embedder.ts';
import { financeTrace, traceWith } from '../../test/traces.ts';
import { createScorer } from './scorer.ts';

useVirtualTime();

const quick = () => standInEmbedder(16, (text) => hashedVector(text, 16));
const traces = Array.from({ length: 50 }, (_, index) =>
  traceWith({ id: `kp:trace:${index}`, objective: `task ${index % 7}` }),
);
const broken = { ...financeTrace, steps: [] };

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of stream) all.push(item);
  return all;
}

describe('evaluateAll', () => {
  it('gives, in order, what evaluate gives call by call', async () => {
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

  it('waits for traces that are promised one by one, as for await does', async () => {
    const promised = [later(2, () => financeTrace), Promise.reject(new Error('not to be had'))];
    for (const promise of promised) promise.catch(() => undefined);
    const reports = createScorer({ embedder: null })
      .evaluateAll(promised as unknown as Iterable<ReasoningTrace>)
      [Symbol.asyncIterator]();
    expect((await reports.next()).value).toMatchObject({ traceId: financeTrace.id });
    await expect(reports.next()).rejects.toThrow('not to be had');
  });

  it('reads no further ahead than its concurrency', async () => {
    let read = 0;
    async function* source(): AsyncGenerator<ReasoningTrace> {
      for (const trace of traces) {
        read++;
        yield trace;
      }
    }
    let reported = 0;
    for await (const _ of createScorer({ embedder: quick() }).evaluateAll(source(), {
      concurrency: 4,
    })) {
      reported++;
      expect(read - reported).toBeLessThan(4);
    }
    expect(reported).toBe(50);
  });

  it('closes the source when the reader stops', async () => {
    let closed = false;
    function* source(): Generator<ReasoningTrace> {
      try {
        yield* traces;
      } finally {
        closed = true;
      }
    }
    for await (const _ of createScorer({ embedder: null }).evaluateAll(source())) break;
    await later(0, () => expect(closed).toBe(true));
  });

  it('starts nothing more once the reader has stopped', async () => {
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

  it('does not take a closed scorer for an invalid trace', async () => {
    const scorer = createScorer({ embedder: null });
    await scorer.close();
    const onInvalid = () => expect.unreachable();
    await expect(collect(scorer.evaluateAll([financeTrace], { onInvalid }))).rejects.toThrow(
      'closed',
    );
  });

  it('gives a report while the next trace is still to come', async () => {
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

  it('passes on what the source throws, after the reports of the traces before it', async () => {
    async function* source(): AsyncGenerator<ReasoningTrace> {
      yield financeTrace;
      throw new Error('disk gone');
    }
    const reports = createScorer({ embedder: null }).evaluateAll(source())[Symbol.asyncIterator]();
    expect((await reports.next()).done).toBe(false);
    await expect(reports.next()).rejects.toThrow('disk gone');
  });

  it('ends at its signal even when the source never gives another trace', async () => {
    const controller = new AbortController();
    async function* source(): AsyncGenerator<ReasoningTrace> {
      yield financeTrace;
      await new Promise(() => undefined);
    }
    const { signal } = controller;
    const reports = createScorer({ embedder: null })
      .evaluateAll(source(), { signal })
      [Symbol.asyncIterator]();
    await reports.next();
    const next = reports.next();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });

  it('ends with the error of an invalid trace, after all before it and none after it', async () => {
    const embedder = quick();
    const seen: string[] = [];
    const run = async () => {
      for await (const { traceId } of createScorer({ embedder }).evaluateAll([
        ...traces.slice(0, 3),
        broken,
        ...traces,
      ]))
        seen.push(traceId);
    };
    await expect(run()).rejects.toThrow('steps: expected at least 1 step');
    expect(seen).toEqual(['kp:trace:0', 'kp:trace:1', 'kp:trace:2']);
    expect(embedder.asked).toHaveLength(3);
  });

  it('goes on without invalid traces when told where to report them', async () => {
    const invalid: number[] = [];
    const reports = await collect(
      createScorer({ embedder: null }).evaluateAll([financeTrace, broken, financeTrace, broken], {
        onInvalid: (error, index) => {
          expect(error.message).toContain('steps');
          invalid.push(index);
        },
      }),
    );
    expect(reports).toHaveLength(2);
    expect(invalid).toEqual([1, 3]);
  });

  it('waits for an async handler of invalid traces, and ends with its failure', async () => {
    const seen: string[] = [];
    const onInvalid = async () => {
      await later(5, () => undefined);
      throw new Error('no log');
    };
    const scorer = createScorer({ embedder: quick() });
    const run = async () => {
      const stream = [...traces.slice(0, 2), broken, ...traces];
      for await (const { traceId } of scorer.evaluateAll(stream, { onInvalid })) seen.push(traceId);
    };
    await expect(run()).rejects.toThrow('no log');
    expect(seen).toEqual(['kp:trace:0', 'kp:trace:1']);
  });

  /** The example trace so many times, then `end`; counts what is asked of it. */
  function counted(count: number, end: () => IteratorResult<ReasoningTrace>) {
    const asked = { next: 0, closed: 0 };
    const source: AsyncIterable<ReasoningTrace> = {
      [Symbol.asyncIterator]: () => ({
        async next() {
          asked.next++;
          return asked.next <= count ? { done: false, value: financeTrace } : end();
        },
        async return() {
          asked.closed++;
          return { done: true, value: undefined };
        },
      }),
    };
    return { asked, source };
  }
  const done = (): IteratorResult<ReasoningTrace> => ({ done: true, value: undefined });
  const nextTurn = (): Promise<void> => later(0, () => undefined);

  it('closes a source that it leaves, once, and none that has come to its end', async () => {
    const scorer = createScorer({ embedder: null });
    const whole = counted(3, done);
    expect(await collect(scorer.evaluateAll(whole.source))).toHaveLength(3);
    expect(whole.asked).toEqual({ next: 4, closed: 0 });

    const failing = counted(1, () => {
      throw new Error('disk gone');
    });
    await expect(collect(scorer.evaluateAll(failing.source))).rejects.toThrow('disk gone');
    expect(failing.asked).toEqual({ next: 2, closed: 0 });

    const invalid = counted(1, () => ({ done: false, value: broken }));
    await expect(collect(scorer.evaluateAll(invalid.source))).rejects.toThrow('steps');
    expect(invalid.asked).toEqual({ next: 2, closed: 1 });

    const left = counted(Infinity, done);
    for await (const _ of scorer.evaluateAll(left.source, { concurrency: 2 })) break;
    await nextTurn();
    expect(left.asked.closed).toBe(1);
  });

  it('closes the source also where a rule fails when the novelty is known', async () => {
    const change = (): number => {
      throw new Error('no such rule');
    };
    const rules = [{ name: 'own', applies: () => true, change }];
    const { asked, source } = counted(Infinity, done);
    const scorer = createScorer({ embedder: quick(), rules });
    const reports = collect(scorer.evaluateAll(source, { concurrency: 2 }));
    await expect(reports).rejects.toThrow('no such rule');
    await nextTurn();
    expect(asked).toEqual({ next: 2, closed: 1 });
  });

  it('ends with what is thrown into it, and at the end of its scope', async () => {
    const scorer = createScorer({ embedder: null });
    const thrown = counted(Infinity, done);
    const reports = scorer.evaluateAll(thrown.source) as AsyncGenerator<unknown>;
    await reports.next();
    await expect(reports.throw(new Error('reader failed'))).rejects.toThrow('reader failed');
    await nextTurn();
    expect(thrown.asked.closed).toBe(1);
    expect(await reports.next()).toMatchObject({ done: true });

    const scoped = counted(Infinity, done);
    {
      await using stream = scorer.evaluateAll(scoped.source) as AsyncGenerator<unknown>;
      await stream.next();
      expect(scoped.asked.closed).toBe(0);
    }
    expect(scoped.asked.closed).toBe(1);
  });

  it('gives up a silent source also when what is thrown into it comes while it waits', async () => {
    const silent = counted(0, () => new Promise(() => undefined) as never);
    const stream = createScorer({ embedder: null }).evaluateAll(silent.source);
    const reports = stream as AsyncGenerator<unknown>;
    const waiting = reports.next();
    await expect(reports.throw(new Error('reader failed'))).rejects.toThrow('reader failed');
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(silent.asked.closed).toBe(1);
  });

  it('has 16 under way where it is not told how many', async () => {
    const embedder = standInEmbedder(16, () => new Promise(() => undefined));
    const scorer = createScorer({ embedder });
    const reports = scorer.evaluateAll(counted(Infinity, done).source) as AsyncGenerator<unknown>;
    void reports.next();
    await later(5, () => undefined);
    expect(embedder.asked).toHaveLength(16);
    await reports.return(undefined);
  });

  it('reads nothing where its signal is aborted already, and ends with the reason', async () => {
    const { asked, source } = counted(Infinity, done);
    const signal = AbortSignal.abort(new Error('too late'));
    const reports = collect(createScorer({ embedder: null }).evaluateAll(source, { signal }));
    await expect(reports).rejects.toThrow('too late');
    await nextTurn();
    expect(asked).toEqual({ next: 0, closed: 1 });
  });

  it('ends at a signal that came between two reports of a source that fell silent', async () => {
    const controller = new AbortController();
    const { source } = counted(1, () => new Promise(() => undefined) as never);
    const stream = createScorer({ embedder: null }).evaluateAll(source, {
      signal: controller.signal,
    }) as AsyncGenerator<unknown>;
    await stream.next();
    controller.abort(new Error('enough'));
    await expect(stream.next()).rejects.toThrow('enough');
  });

  it('leaves no listener on a signal behind, and no more on its own for more traces', async () => {
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    const { signal } = new AbortController();
    let open = 0;
    let ofCaller = 0;
    EventTarget.prototype.addEventListener = function (this: EventTarget, ...given) {
      open++;
      if (this === signal) ofCaller++;
      return addEventListener.apply(this, given);
    };
    EventTarget.prototype.removeEventListener = function (this: EventTarget, ...given) {
      open--;
      if (this === signal) ofCaller--;
      return removeEventListener.apply(this, given);
    };
    try {
      const openAfter = async (count: number): Promise<number> => {
        open = 0;
        const scorer = createScorer({ embedder: quick() });
        await collect(scorer.evaluateAll(counted(count, done).source, { signal }));
        return open;
      };
      const few = await openAfter(1);
      expect(await openAfter(20)).toBe(few);
      expect(ofCaller).toBe(0);
    } finally {
      Object.assign(EventTarget.prototype, { addEventListener, removeEventListener });
    }
  });

  it('remembers nothing more once it is aborted', async () => {
    const memory = new VectorCache({ dimensions: 16 });
    const embedder = standInEmbedder(16, (text) => later(10, () => hashedVector(text, 16)));
    const controller = new AbortController();
    const run = async () => {
      const scorer = createScorer({ embedder, memory });
      for await (const _ of scorer.evaluateAll(traces, { signal: controller.signal })) {
        controller.abort(new Error('enough'));
      }
    };
    await expect(run()).rejects.toThrow('enough');
    const remembered = memory.size;
    await later(50, () => expect(memory.size).toBe(remembered));
    expect(embedder.asked.length).toBeLessThan(40);
  });

  it('lets its reader go while the source is silent', async () => {
    let closed = false;
    const source: AsyncIterable<ReasoningTrace> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        async return() {
          closed = true;
          return { done: true, value: undefined };
        },
      }),
    };
    const scorer = createScorer({ embedder: null });
    const reports = scorer.evaluateAll(source)[Symbol.asyncIterator]();
    const waiting = reports.next();
    const gone = reports.return?.();
    expect(await Promise.race([gone, later(1000, () => 'stuck')])).toMatchObject({ done: true });
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(closed).toBe(true);
  });

  it('outlives a source that throws when it is closed', async () => {
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
    for await (const report of createScorer({ embedder: null }).evaluateAll(source)) {
      expect(report.traceId).toBe(financeTrace.id);
      break;
    }
    await later(5, () => process.off('uncaughtException', onUncaught));
    expect(uncaught).toEqual([]);
  });

  it('remembers what comes too late for its budget, also after its end', async () => {
    const memory = new VectorCache({ dimensions: 16 });
    const embedder = standInEmbedder(16, (text) => later(30, () => hashedVector(text, 16)));
    const scorer = createScorer({ embedder, memory });
    const reports = await collect(scorer.evaluateAll(traces.slice(0, 5), { budgetMs: 5 }));
    expect(reports.map(({ novelty }) => novelty.source)).toEqual(
      Array.from({ length: 5 }, () => 'budget_exceeded'),
    );
    await scorer.close();
    expect(memory.size).toBe(5);
  });

  it('sheds nothing: its own concurrency bounds what is under way', async () => {
    const embedder = standInEmbedder(16, (text) => later(1, () => hashedVector(text, 16)));
    const scorer = createScorer({ embedder, maxPending: 2 });
    const reports = await collect(scorer.evaluateAll(traces, { concurrency: 8 }));
    expect(reports.filter(({ novelty }) => novelty.source === 'overloaded')).toEqual([]);
  });

  it('may have one under way at a time', async () => {
    const scorer = createScorer({ embedder: quick() });
    const reports = await collect(scorer.evaluateAll(traces.slice(0, 3), { concurrency: 1 }));
    expect(reports.map(({ traceId }) => traceId)).toEqual(traces.slice(0, 3).map(({ id }) => id));
  });

  it('has no budget but its own', async () => {
    const slow = () => standInEmbedder(4, () => later(20, () => Float32Array.of(1, 0, 0, 0)));
    const [patient] = await collect(
      createScorer({ embedder: slow(), budgetMs: 5 }).evaluateAll([financeTrace]),
    );
    expect(patient?.novelty.source).toBe('empty_memory');
    const [hurried] = await collect(
      createScorer({ embedder: slow() }).evaluateAll([financeTrace], { budgetMs: 5 }),
    );
    expect(hurried?.novelty.source).toBe('budget_exceeded');
  });

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController();
    const run = async () => {
      for await (const _ of createScorer({ embedder: null }).evaluateAll(traces, {
        signal: controller.signal,
      })) {
        controller.abort(new Error('enough'));
      }
    };
    await expect(run()).rejects.toThrow('enough');
  });

  it.each([
    [
      financeTrace as unknown as ReasoningTrace[],
      {},
      'traces: expected an iterable or async iterable of traces',
    ],
    [null as never, {}, 'traces: expected an iterable or async iterable of traces, received null'],
    ['abc' as never, {}, 'traces: expected an iterable or async iterable of traces, received "abc'],
    [[], { concurrency: 0 }, 'concurrency: expected a whole number over 0, received 0'],
    [[], { concurrency: 1.5 }, 'concurrency: expected a whole number over 0, received 1.5'],
    [[], { concurrency: -1 }, 'concurrency: expected a whole number over 0, received -1'],
    [[], { signal: {} as never }, 'signal: expected an AbortSignal, received an object'],
    [[], { budgetMs: -1 }, 'budgetMs: expected milliseconds over 0'],
  ])('refuses wrong use', async (input, options, message) => {
    await expect(
      collect(createScorer({ embedder: null }).evaluateAll(input, options)),
    ).rejects.toThrow(message);
  });
});
