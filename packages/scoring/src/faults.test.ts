import { describe, expect, it } from 'bun:test';
import { runInNewContext } from 'node:vm';
import type { Embedder } from '@kp/embedder';
import { VectorCache } from '@kp/vector-cache';
import { hashedVector, later, standInEmbedder } from '../test/stand-in-embedder.ts';
import { financeTrace, traceWith } from '../test/traces.ts';
import type { MemoryAnswer, MemoryEntry, NoveltyMemory } from './novelty-memory.ts';
import type { NoveltySource, ScoreReport } from './score-report.ts';
import { createScorer } from './scorer.ts';
import type { ScorerWarning } from './warnings.ts';

const unlimited = { budgetMs: Number.POSITIVE_INFINITY };
const silent = { onWarning: () => undefined };
const quick = () => standInEmbedder(16, (text) => hashedVector(text, 16));
const never = () => new Promise<never>(() => undefined);
const noModel = (): never => {
  throw new Error('no model');
};
const sourceOf = ({ novelty }: ScoreReport): NoveltySource => novelty.source;
const numbered = (index: number) =>
  traceWith({ id: `kp:trace:${index}`, objective: `task ${index}` });

/** An embedder that works on one text at a time, and counts the milliseconds in which it does. */
function serial(
  milliseconds: number,
  firstMilliseconds = milliseconds,
): Embedder & { busyMs: number } {
  let last: Promise<unknown> = Promise.resolve();
  const embedder = standInEmbedder(16, (text) => {
    const mine = last.then(async () => {
      const begin = performance.now();
      const takes = busy.busyMs === 0 ? firstMilliseconds : milliseconds;
      const vector = await later(takes, () => hashedVector(text, 16));
      busy.busyMs += performance.now() - begin;
      return vector;
    });
    last = mine;
    return mine;
  });
  const busy = Object.assign(embedder, { busyMs: 0 });
  return busy;
}

/** A memory with `compareAndRemember`, each call of which takes as long as it is told. */
function batching(milliseconds: number, batches: number[] = []): NoveltyMemory {
  const cache = new VectorCache({ dimensions: 16, maxElements: 10_000 });
  return {
    nearest: (vector) => later(milliseconds, () => cache.nearest(vector)),
    add: (vector, key) => later(milliseconds, () => cache.add(vector, key)),
    compareAndRemember: (entries) =>
      later(milliseconds, () => {
        batches.push(entries.length);
        return entries.map(({ vector, key }): MemoryAnswer => {
          const answer = { nearest: cache.nearest(vector), comparedWith: cache.size };
          cache.add(vector, key);
          return answer;
        });
      }),
  };
}

describe('a memory that lies', () => {
  const lies: [string, unknown, string][] = [
    ['null', null, 'expected the nearest trace, or undefined, received null'],
    ['NaN', { similarity: Number.NaN }, 'expected a similarity from -1 to 1, received NaN'],
    ['no similarity', { key: 'a' }, 'expected a similarity from -1 to 1, received nothing'],
    ['text', { similarity: '0.5' }, 'expected a similarity from -1 to 1, received "0.5"'],
    ['too much', { similarity: 7 }, 'expected a similarity from -1 to 1, received 7'],
    ['infinity', { similarity: -Infinity }, 'expected a similarity from -1 to 1'],
    ['a key of another type', { key: 3, similarity: 0.5 }, 'expected text or undefined as key'],
    ['text for an answer', 'near', 'expected the nearest trace, or undefined, received "near"'],
  ];

  it.each(lies)(
    'is named, and its answer not used: %s from nearest',
    async (_, answer, message) => {
      class LyingStore {
        size = 3;
        nearest = () => answer as never;
        add = () => undefined;
      }
      const warnings: ScorerWarning[] = [];
      const scorer = createScorer({
        embedder: quick(),
        memory: new LyingStore(),
        onWarning: (warning) => warnings.push(warning),
      });
      const { score, dimensions, novelty } = await scorer.evaluate(financeTrace);
      expect(score).toBeCloseTo(0.724, 12);
      expect(dimensions.novelty).toBe(0.5);
      expect(novelty.source).toBe('memory_failed');
      expect(novelty.failure?.code).toBe('MEMORY_ANSWER_INVALID');
      expect(novelty.failure?.message).toStartWith(`memory LyingStore: nearest: ${message}`);
      expect(warnings.map(({ code }) => code)).toEqual(['MEMORY_FAILED']);
    },
  );

  it.each([
    ['no array', null, 'expected 1 answers, received null'],
    ['too few', [], 'expected 1 answers, received 0'],
    ['too many', [{}, {}], 'expected 1 answers, received 2'],
    ['null in it', [null], 'expected an object as each answer, received null'],
    ['NaN', [{ nearest: { similarity: Number.NaN } }], 'expected a similarity from -1 to 1'],
    ['text in it', ['near'], 'expected an object as each answer, received "near"'],
    ['nothing of one', [{ comparedWith: 1 }], 'expected the nearest of the 1 entries'],
    ['nothing of many', [{ comparedWith: 5 }], 'expected the nearest of the 5 entries'],
    ['a wrong count', [{ comparedWith: -1 }], 'expected a number of entries, or undefined'],
    [
      'the nearest trace itself',
      [{ key: 'a', similarity: 1 }],
      'expected nearest and comparedWith in each answer, received "key"',
    ],
    [
      'an array with a map of its own',
      Object.assign([{ nearest: 3 }], { map: () => [{ nearest: { similarity: Number.NaN } }] }),
      'expected the nearest trace, or undefined, received 3',
    ],
  ])('is named: %s from compareAndRemember', async (_, answers, message) => {
    const memory = {
      nearest: () => undefined,
      add: () => undefined,
      compareAndRemember: () => answers as never,
    };
    const scorer = createScorer({ embedder: quick(), memory, ...silent });
    const { novelty } = await scorer.evaluate(financeTrace);
    expect(novelty.source).toBe('memory_failed');
    expect(novelty.failure?.message).toStartWith(`memory: compareAndRemember: ${message}`);
  });

  it('of a size that is no number is named', async () => {
    const memory = { size: Number.NaN, nearest: () => undefined, add: () => undefined };
    const scorer = createScorer({ embedder: quick(), memory, ...silent });
    expect((await scorer.evaluate(financeTrace)).novelty.failure?.message).toBe(
      'memory: size: expected a number of entries, or undefined, received NaN',
    );
  });
});

describe('a memory that hangs or dies', () => {
  it('answers in time, and fails at the time-out', async () => {
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

  it('is asked again for what comes after', async () => {
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
    const first = scorer.evaluate(numbered(1));
    const second = scorer.evaluate(numbered(2));
    expect(sourceOf(await first)).toBe('memory_failed');
    hanging = false;
    expect(sourceOf(await second)).toBe('memory_failed');
    expect(sourceOf(await scorer.evaluate(numbered(3)))).toBe('empty_memory');
  });

  it('lets no evaluation reject', async () => {
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
  it('is asked in batches, so that 100 evaluations at once keep the budget', async () => {
    const batches: number[] = [];
    const scorer = createScorer({ embedder: quick(), memory: batching(5, batches), budgetMs: 200 });
    const reports = await Promise.all(
      Array.from({ length: 100 }, (_, index) => scorer.evaluate(numbered(index % 60))),
    );
    expect(reports.filter(({ withinBudget }) => withinBudget)).toHaveLength(100);
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(100);
    expect(batches.length).toBeLessThan(10);
    // As one by one: the 60 are compared with those before them, the repeats with themselves.
    expect(reports.map(({ novelty }) => novelty.comparedWith)).toEqual(
      Array.from({ length: 100 }, (_, index) => index),
    );
    for (const [index, { novelty }] of reports.slice(60).entries()) {
      expect(novelty.nearest?.key).toBe(`kp:trace:${index}`);
      expect(novelty.nearest?.similarity).toBeCloseTo(1, 5);
    }
  });

  it('compares many at once where nothing is remembered in between', async () => {
    const scorer = createScorer({ embedder: quick(), memory: batching(5), budgetMs: 200 });
    await scorer.remember(numbered(0));
    const reports = await Promise.all(
      Array.from({ length: 100 }, (_, index) => scorer.score(numbered(index))),
    );
    expect(new Set(reports.map(sourceOf))).toEqual(new Set(['nearest']));
  });

  it('is told an operation id for each entry, and sameId', async () => {
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
  it('compare: a repeat is compared with its first sight', async () => {
    const scorer = createScorer({ embedder: quick() });
    await scorer.evaluate(numbered(1));
    expect((await scorer.evaluate(numbered(1))).dimensions.novelty).toBeCloseTo(0, 5);
  });

  it('replace: the same traces again change no score', async () => {
    const memory = new VectorCache({ dimensions: 16 });
    const scorer = createScorer({ embedder: quick(), memory, sameId: 'replace', ...unlimited });
    const first: ScoreReport[] = [];
    for (let index = 0; index < 5; index++) first.push(await scorer.evaluate(numbered(index)));
    const again = await scorer.evaluate(numbered(4));
    expect(again.novelty).toEqual(first[4]?.novelty as never);
    expect(memory.size).toBe(5);
  });

  it('replace: a memory that cannot take an entry out is refused', () => {
    const memory = { nearest: () => undefined, add: () => undefined };
    expect(() => createScorer({ embedder: quick(), memory, sameId: 'replace' })).toThrow(
      "memory: expected an object with forget() or compareAndRemember(), for sameId 'replace'",
    );
    expect(() => createScorer({ embedder: quick(), sameId: 'keep' as never })).toThrow(
      "sameId: expected 'compare' or 'replace', received \"keep\"",
    );
  });
});

describe('text without anything to compare', () => {
  it('has novelty 0.5, says so, and is not remembered', async () => {
    const memory = new VectorCache({ dimensions: 16 });
    const embedder = standInEmbedder(16, () => new Float32Array(16));
    const scorer = createScorer({ embedder, memory });
    for (let call = 0; call < 3; call++) {
      const { novelty, dimensions } = await scorer.evaluate(financeTrace);
      expect(novelty).toEqual({ source: 'no_text', truncated: false, embedder: 'stand-in' });
      expect(dimensions.novelty).toBe(0.5);
    }
    await scorer.remember(financeTrace);
    expect(memory.size).toBe(0);
  });
});

describe('a stuck embedder', () => {
  it('is given up at the time-out with its signal aborted, and the order goes on', async () => {
    const signals: AbortSignal[] = [];
    const embedder: Embedder = {
      ...quick(),
      id: 'stuck',
      embed(texts, { signal } = {}) {
        if (texts[0]?.startsWith('task 0 ') !== true) return quick().embed(texts);
        if (signal) signals.push(signal);
        return never();
      },
    };
    const warnings: ScorerWarning[] = [];
    const scorer = createScorer({
      embedder,
      budgetMs: 10,
      operationTimeoutMs: 50,
      onWarning: (warning) => warnings.push(warning),
    });
    const late = await Promise.all([scorer.evaluate(numbered(0)), scorer.evaluate(numbered(1))]);
    expect(late.map(sourceOf)).toEqual(['budget_exceeded', 'budget_exceeded']);
    await later(60, () => undefined);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'embedder stuck: expected an answer within 50 ms, received none; find out why it hangs, ' +
        'or set a longer operationTimeoutMs (novelty is 0.5 until an embedding succeeds)',
    ]);
    const next = await scorer.evaluate(numbered(2));
    expect(next.novelty.source).toBe('nearest');
    expect(next.novelty.comparedWith).toBe(1);
  });

  it('lets close end, and holds no more than it may', async () => {
    let asked = 0;
    const embedder: Embedder = {
      id: 'stuck',
      dimensions: 16,
      embed() {
        asked++;
        return never();
      },
    };
    const scorer = createScorer({
      embedder,
      budgetMs: 5,
      operationTimeoutMs: 100,
      maxPending: 20,
      ...silent,
    });
    const reports = await Promise.all(
      Array.from({ length: 500 }, (_, index) => scorer.evaluate(numbered(index))),
    );
    expect(asked).toBe(20);
    expect(reports.filter(({ novelty }) => novelty.source === 'overloaded')).toHaveLength(480);
    const closing = performance.now();
    await scorer.close();
    expect(performance.now() - closing).toBeLessThan(1000);
    await expect(scorer.evaluate(financeTrace)).rejects.toThrow('received a closed one');
  });

  it('that never ends what it was given up at is then asked about one at a time', async () => {
    let working = 0;
    let most = 0;
    const embedder: Embedder = {
      id: 'stuck',
      dimensions: 16,
      embed() {
        working++;
        return never();
      },
    };
    const scorer = createScorer({
      embedder,
      ...unlimited,
      ...silent,
      operationTimeoutMs: 10,
      maxPending: 8,
    });
    for (let round = 0; round < 5; round++) {
      const before = working;
      await Promise.all(Array.from({ length: 30 }, (_, index) => scorer.evaluate(numbered(index))));
      most = round === 0 ? most : Math.max(most, working - before);
    }
    expect(most).toBe(1);
  });

  it('has what is still under way when closing ends told so, in the order of the calls', async () => {
    const embedder = standInEmbedder(16, (text) => later(10, () => hashedVector(text, 16)));
    const memory = { nearest: never, add: () => undefined };
    const scorer = createScorer({
      embedder,
      memory,
      ...unlimited,
      ...silent,
      operationTimeoutMs: 40,
    });
    // The memory is asked after 10 ms, and so would be given up at 50; closing ends at 40.
    const ended: number[] = [];
    const reports = [0, 1].map(async (index) => {
      const { novelty } = await scorer.score(numbered(index));
      ended.push(index);
      return novelty;
    });
    const remembering = scorer.remember(numbered(2));
    await Promise.all([scorer.close(), expect(remembering).rejects.toThrow('a closed one')]);
    for (const novelty of await Promise.all(reports)) {
      expect(novelty).toMatchObject({
        source: 'memory_failed',
        failure: {
          code: 'SCORER_CLOSED',
          message: 'scorer: expected an open scorer, received a closed one; create a new one',
        },
      });
    }
    expect(ended).toEqual([0, 1]);
  });

  it('is let go of in its turn, so that those behind it go on', async () => {
    for (const end of ['time-out', 'signal', 'failure'] as const) {
      const embedder = standInEmbedder(16, (text) => {
        if (!text.startsWith('task 0 ')) return hashedVector(text, 16);
        return end === 'failure' ? later(5, noModel) : never();
      });
      const operationTimeoutMs = end === 'time-out' ? 10 : 10_000;
      const scorer = createScorer({ embedder, ...unlimited, ...silent, operationTimeoutMs });
      const controller = new AbortController();
      const first = scorer.evaluate(numbered(0), { signal: controller.signal });
      const behind = scorer.evaluate(numbered(1));
      await later(1, () => undefined);
      if (end === 'signal') {
        controller.abort(new Error('enough'));
        await expect(first).rejects.toThrow('enough');
      } else expect(sourceOf(await first)).toBe('embedder_failed');
      expect(sourceOf(await behind)).toBe('empty_memory');
    }
  });

  it('that ends after all what it was given up at is asked about many at a time again', async () => {
    const release = Promise.withResolvers<void>();
    let stuck = true;
    const embedder = standInEmbedder(16, async (text) => {
      if (stuck) await release.promise;
      return hashedVector(text, 16);
    });
    const scorer = createScorer({
      embedder,
      ...unlimited,
      ...silent,
      operationTimeoutMs: 10,
      maxPending: 2,
    });
    const two = async (): Promise<NoveltySource[]> =>
      (await Promise.all([scorer.score(numbered(0)), scorer.score(numbered(1))])).map(sourceOf);
    expect(await two()).toEqual(['embedder_failed', 'embedder_failed']);
    expect(await two()).toEqual(['embedder_failed', 'overloaded']);
    stuck = false;
    release.resolve();
    await later(1, () => undefined);
    expect(await two()).toEqual(['empty_memory', 'empty_memory']);
  });

  it('closes what it made alone', async () => {
    const embedder = quick();
    const scorer = createScorer({ embedder });
    await scorer.evaluate(financeTrace);
    await scorer.close();
    expect(embedder.closed).toBe(false);
    await using disposed = createScorer({ embedder });
    expect((await disposed.evaluate(financeTrace)).novelty.source).toBe('empty_memory');
  });
});

describe('twice the capacity', () => {
  it('wastes none of it: what is let in is answered, the rest is overloaded', async () => {
    const embedder = serial(10);
    const scorer = createScorer({ embedder, ...silent });
    const pending: Promise<ScoreReport>[] = [];
    const begin = performance.now();
    // By the clock: timers come late on a busy machine, and then there would be less to do.
    for (let index = 0; index < 300; index++) {
      while (performance.now() < begin + index * 5) await later(1, () => undefined);
      pending.push(scorer.evaluate(numbered(index)));
    }
    const sources = (await Promise.all(pending)).map(sourceOf);
    const count = (source: NoveltySource) => sources.filter((other) => other === source).length;
    const real = count('nearest') + count('empty_memory');
    const late = count('budget_exceeded');
    expect(real + late + count('overloaded')).toBe(300);
    // The embedder works all the time, and hardly for answers that come too late.
    expect(embedder.busyMs / (performance.now() - begin)).toBeGreaterThan(0.6);
    expect(real / (real + late)).toBeGreaterThan(0.6);
  }, 20_000);

  it('is found out also when the first call, which loads a model, took long', async () => {
    const embedder = serial(5, 300);
    const scorer = createScorer({ embedder, budgetMs: 50, ...silent });
    const pending: Promise<ScoreReport>[] = [];
    const begin = performance.now();
    for (let index = 0; performance.now() < begin + 1800; index++) {
      pending.push(scorer.evaluate(numbered(index)));
      await later(2, () => undefined);
    }
    const sources = (await Promise.all(pending)).map(sourceOf).slice(-pending.length / 4);
    const count = (source: NoveltySource) => sources.filter((other) => other === source).length;
    // Not found out, every answer of the last quarter would be late.
    expect(count('nearest')).toBeGreaterThan(count('budget_exceeded'));
  }, 20_000);

  it('is no overload where the embedder works on many at once', async () => {
    const embedder = standInEmbedder(16, (text) => later(30, () => hashedVector(text, 16)));
    const scorer = createScorer({ embedder, budgetMs: 5000 });
    const pending: Promise<ScoreReport>[] = [];
    for (let round = 0; round < 30; round++) {
      for (let index = 0; index < 40; index++) pending.push(scorer.evaluate(numbered(index)));
      await later(5, () => undefined);
    }
    const sources = new Set((await Promise.all(pending)).map(sourceOf));
    expect(sources).not.toContain('overloaded');
  });

  it('is said of each that is shed, warned of once, and again when all was well between', async () => {
    const release = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const embedder = standInEmbedder(16, async (text) => {
      await release[embedder.asked.length - 1]?.promise;
      return hashedVector(text, 16);
    });
    const warned: string[] = [];
    const scorer = createScorer({
      embedder,
      maxPending: 1,
      ...unlimited,
      onWarning: ({ code, message }) => warned.push(`${code} ${message}`),
    });
    const warning =
      'OVERLOADED scorer: expected room among 1 pending traces, received none; try again later, ' +
      'or set a larger maxPending (what is over is not remembered)';
    for (const round of [0, 1]) {
      const first = scorer.evaluate(numbered(round));
      const shed = [await scorer.score(numbered(2)), await scorer.evaluate(numbered(2))];
      for (const { novelty, dimensions } of shed) {
        expect(novelty).toStrictEqual({
          source: 'overloaded',
          truncated: false,
          embedder: 'stand-in',
        });
        expect(dimensions.novelty).toBe(0.5);
      }
      release[round]?.resolve();
      expect((await first).novelty.comparedWith).toBe(round);
      expect(warned).toEqual(Array.from({ length: round + 1 }, () => warning));
    }
  });

  it('refuses remember, which has no report', async () => {
    const scorer = createScorer({
      embedder: standInEmbedder(16, never),
      maxPending: 1,
      ...silent,
      operationTimeoutMs: 20,
    });
    const first = scorer.remember(numbered(0));
    await expect(scorer.remember(numbered(1))).rejects.toThrow(
      'scorer: expected room among 1 pending traces, received none',
    );
    await expect(first).rejects.toThrow('expected an answer within 20 ms');
  });
});

describe('the options of one call', () => {
  it('budgetMs stands instead of the scorer’s', async () => {
    const embedder = standInEmbedder(16, (text) => later(30, () => hashedVector(text, 16)));
    const scorer = createScorer({ embedder, ...unlimited });
    expect(sourceOf(await scorer.score(numbered(0), { budgetMs: 5 }))).toBe('budget_exceeded');
    expect(sourceOf(await scorer.evaluate(numbered(0)))).toBe('empty_memory');
    await expect(scorer.remember(numbered(1), { budgetMs: 5 })).rejects.toThrow(
      'remember: expected an end within 5 ms, received none',
    );
    expect((await scorer.evaluate(numbered(1))).novelty.comparedWith).toBe(2);
  });

  it('signal rejects, cancels the embedding and keeps the trace out of the memory', async () => {
    const signals: AbortSignal[] = [];
    const memory = new VectorCache({ dimensions: 16 });
    const embedder: Embedder = {
      id: 'slow',
      dimensions: 16,
      embed(texts, { signal } = {}) {
        if (signal) signals.push(signal);
        return later(20, () =>
          texts.map((text) => ({ vector: hashedVector(text, 16), truncated: false })),
        );
      },
    };
    const scorer = createScorer({ embedder, memory, ...unlimited });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [
      scorer.evaluate(numbered(0), { signal }),
      scorer.score(numbered(1), { signal }),
      scorer.remember(numbered(2), { signal }),
    ];
    const other = scorer.evaluate(numbered(3));
    controller.abort(new Error('no longer needed'));
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({ status: 'rejected', reason: { message: 'no longer needed' } });
    }
    await expect(scorer.evaluate(numbered(4), { signal })).rejects.toThrow('no longer needed');
    expect(sourceOf(await other)).toBe('empty_memory');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, false]);
    expect(memory.size).toBe(1);
  });

  it('signal rejects also where nothing is embedded, and before anything is', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    const embedder = quick();
    for (const scorer of [createScorer({ embedder: null }), createScorer({ embedder })]) {
      for (const call of ['evaluate', 'score', 'remember'] as const) {
        await expect(scorer[call](financeTrace, { signal })).rejects.toThrow('too late');
      }
    }
    expect(embedder.asked).toEqual([]);
  });

  it.each([
    [{ budgetMs: 0 }, 'budgetMs: expected milliseconds over 0, or Infinity, received 0'],
    [{ budgetMs: '5' }, 'budgetMs: expected milliseconds over 0, or Infinity, received "5"'],
    [{ signal: {} }, 'signal: expected an AbortSignal, received an object'],
    [7, 'options: expected an object, received 7'],
    [null, 'options: expected an object, received null'],
  ])('%p is refused', async (options, message) => {
    const scorer = createScorer({ embedder: null });
    await expect(scorer.evaluate(financeTrace, options as never)).rejects.toThrow(message);
    await expect(scorer.remember(financeTrace, options as never)).rejects.toThrow(message);
  });
});

describe('warnings', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('no log');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('no log'))],
  ])('a handler that %s breaks nothing', async (_, onWarning) => {
    const embedder = standInEmbedder(16, noModel);
    const scorer = createScorer({ embedder, onWarning });
    expect(sourceOf(await scorer.evaluate(financeTrace))).toBe('embedder_failed');
    await later(5, () => undefined);
    expect(sourceOf(await scorer.evaluate(financeTrace))).toBe('embedder_failed');
  });
});

describe('what is read', () => {
  it('is never out of its range, whatever a getter answers', async () => {
    for (let honest = 0; honest < 40; honest++) {
      let reads = 0;
      const trace = {
        ...financeTrace,
        outcome: {
          result_summary: '',
          get confidence() {
            return reads++ < honest ? 0.9 : 5;
          },
        },
      };
      const scorer = createScorer({ embedder: null });
      const report = await scorer.evaluate(trace).catch((error: Error) => error);
      if (report instanceof Error)
        expect(report.message).toMatch(/outcome.confidence: expected at most 1|stay the same/);
      else expect(report.dimensions.outcomeConfidence).toBe(0.9);
    }
  });

  it.each(['id', 'metadata', 'task', 'steps', 'outcome'])(
    'is refused where %s is another one at first',
    async (field) => {
      for (const first of [undefined, null, 5, {}]) {
        let reads = 0;
        const trace = { ...financeTrace };
        const value = Reflect.get(financeTrace, field);
        Object.defineProperty(trace, field, { get: () => (reads++ === 0 ? first : value) });
        const scorer = createScorer({ embedder: quick() });
        await expect(scorer.evaluate(trace)).rejects.toThrow(
          'trace: expected fields that stay the same while they are read, received one that changes',
        );
      }
    },
  );

  it('is refused where steps change after they were checked', async () => {
    const [step] = financeTrace.steps;
    const lengthIs = (length: unknown): unknown[] =>
      new Proxy([step], {
        get: (steps, name) => (name === 'length' ? length : Reflect.get(steps, name)),
      });
    for (const first of [
      [],
      [null],
      [{}],
      [{ type: 'toString' }],
      lengthIs(Number.NaN),
      lengthIs(-1),
    ]) {
      let reads = 0;
      const trace = {
        ...financeTrace,
        get steps() {
          return reads++ === 0 ? (first as never) : financeTrace.steps;
        },
      };
      await expect(createScorer({ embedder: quick() }).evaluate(trace)).rejects.toThrow(
        'stay the same',
      );
    }
  });

  it('may come from another realm: traces, vectors', async () => {
    const trace = runInNewContext(`(${JSON.stringify(financeTrace)})`);
    const foreign = runInNewContext('Float32Array.of(1, 0, 0, 0)');
    expect(foreign).not.toBeInstanceOf(Float32Array);
    const scorer = createScorer({ embedder: standInEmbedder(4, () => foreign) });
    expect(sourceOf(await scorer.evaluate(trace))).toBe('empty_memory');
    expect((await scorer.evaluate(trace)).dimensions.novelty).toBe(0);
  });
});
