import { afterEach, beforeEach, describe, expect, it, mock, spyOn } from 'bun:test';
import type { Embedder, Embedding } from '@kp/embedder';
import type { NoveltyReport } from '../formula/score-report.ts';
import type { Success } from './admission.ts';
import { type LookupCall, LookupTurn, type TurnParts } from './lookup-turn.ts';

/** Timers that are due when a test says so, and a clock that stands until it is moved. */
const realTimers = { setTimeout, clearTimeout };
const timers = new Map<object, { readonly delay: number; readonly run: () => void }>();
const log: string[] = [];
let clock = 1000;

beforeEach(() => {
  timers.clear();
  log.length = 0;
  clock = 1000;
  spyOn(performance, 'now').mockImplementation(() => clock);
  const set = (run: () => void, delay: number): object => {
    const timer = { unref: () => void log.push('unref') };
    timers.set(timer, { delay, run });
    return timer;
  };
  Object.assign(globalThis, {
    setTimeout: set,
    clearTimeout: (timer: object) => timers.delete(timer),
  });
});

afterEach(() => {
  Object.assign(globalThis, realTimers);
  mock.restore();
});

const delays = (): number[] => Array.from(timers.values(), ({ delay }) => delay);

/** The one timer with that delay goes off. */
function fire(delay: number): void {
  const due = [...timers].filter(([, timer]) => timer.delay === delay);
  expect(due).toHaveLength(1);
  for (const [key, timer] of due) {
    timers.delete(key);
    timer.run();
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

interface Given extends Partial<LookupCall> {
  readonly operationTimeoutMs?: number;
  /** How many others are pending. */
  readonly others?: number;
  readonly onEmbed?: () => void;
}

/** A turn that has started, whose every effect is in the log. */
function started({ operationTimeoutMs = 250, others = 0, onEmbed, ...call }: Given = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Embedding[]>();
  const signals: (AbortSignal | undefined)[] = [];
  const embedder: Embedder = {
    id: 'by-hand',
    dimensions: 2,
    embed(_, options) {
      signals.push(options?.signal);
      onEmbed?.();
      return promise as Promise<Embedding[]>;
    },
  };
  let pending = others;
  const parts: TurnParts = {
    embedder,
    operationTimeoutMs,
    admission: {
      admits: () => true,
      enter(characters) {
        log.push(`enter ${characters}`);
        return pending++;
      },
      release: (characters) => void log.push(`release ${characters}`),
      leave(success?: Success) {
        pending--;
        log.push(success === undefined ? 'leave' : `leave ${JSON.stringify(success)}`);
      },
      abandon: () => void log.push('abandon'),
      recover: () => void log.push('recover'),
      get pending() {
        return pending;
      },
    },
    order: {
      push: () => void log.push('push'),
      async advance() {
        log.push('advance');
      },
      pending: () => [],
    },
    warnings: {
      warn: (code, message) => void log.push(`warn ${code}: ${message}`),
      clear: (code) => void log.push(`clear ${code}`),
    },
    onIdle: () => void log.push('idle'),
  };
  const whole: LookupCall = {
    key: 'kp:trace:a',
    text: { text: 'goal', boundaries: [] },
    compare: true,
    remember: true,
    startedAt: clock,
    budgetMs: 100,
    mayBeShed: true,
    signal: undefined,
    ...call,
  };
  const reports: NoveltyReport[] = [];
  const reasons: unknown[] = [];
  const turn = new LookupTurn(
    parts,
    whole,
    (report) => void reports.push(report),
    (reason) => void reasons.push(reason),
  );
  turn.start();
  const embedded = async (embedding: Partial<Embedding> = {}): Promise<void> => {
    resolve([{ vector: Float32Array.of(0, 1), truncated: false, ...embedding }]);
    await settled();
  };
  const failed = async (cause: unknown): Promise<void> => {
    reject(cause);
    await settled();
  };
  return { turn, reports, reasons, signals, embedded, failed };
}

const late = { source: 'budget_exceeded', truncated: false, embedder: 'by-hand' } as const;

describe('a turn', () => {
  it('goes through the embedder and then the memory, and leaves nothing behind', async () => {
    const { turn, reports, embedded } = started({ others: 2 });
    expect(log).toEqual(['enter 4', 'push']);
    expect(turn.entry).toBeUndefined();
    clock += 30;
    await embedded();
    expect(log.slice(2)).toEqual(['release 4', 'clear EMBEDDER_FAILED', 'advance']);
    expect(turn.entry).toEqual({
      vector: Float32Array.of(0, 1),
      key: 'kp:trace:a',
      compare: true,
      remember: true,
    });
    expect([turn.over, reports.length]).toEqual([false, 0]);
    clock += 12;
    turn.answered({ nearest: { key: 'b', similarity: 0.5 }, comparedWith: 3 });
    expect(log.slice(5)).toEqual([
      'clear MEMORY_FAILED',
      'leave {"ahead":2,"tookMs":42,"at":1042}',
    ]);
    expect(reports).toStrictEqual([
      {
        source: 'nearest',
        truncated: false,
        embedder: 'by-hand',
        nearest: { key: 'b', similarity: 0.5 },
        comparedWith: 3,
      },
    ]);
    expect(turn.over).toBe(true);
    expect(timers.size).toBe(0);
  });

  it('reports what it knows and no empty fields', async () => {
    const short = started();
    await short.embedded();
    short.turn.answered({});
    expect(short.reports).toStrictEqual([
      { source: 'empty_memory', truncated: false, embedder: 'by-hand' },
    ]);
    const long = started();
    await long.embedded({ truncated: true, tokens: 300, chunks: 2 });
    long.turn.answered({ comparedWith: 0 });
    expect(long.reports).toStrictEqual([
      {
        source: 'empty_memory',
        truncated: true,
        embedder: 'by-hand',
        comparedWith: 0,
        tokens: 300,
        chunks: 2,
      },
    ]);
  });

  it('is over without the memory where the text has nothing to compare', async () => {
    const { turn, reports, embedded } = started();
    await embedded({ vector: new Float32Array(2) });
    expect(turn.entry).toBeUndefined();
    expect(reports).toStrictEqual([{ source: 'no_text', truncated: false, embedder: 'by-hand' }]);
    expect(log.at(-1)).toBe('advance');
  });

  it.each([
    [0, ['leave', 'clear OVERLOADED', 'idle']],
    [1, ['leave']],
  ])('with %d others pending tells of its end', (others, expected) => {
    const { turn } = started({ others });
    log.length = 0;
    turn.failed(new Error('gone'));
    expect(log.slice(0, expected.length)).toEqual(expected);
    expect(log.includes('idle')).toBe(others === 0);
  });
});

describe('the budget of a turn', () => {
  it('ends 2 ms early, and then the embedder has what is left of the time-out', () => {
    const { reports, signals, reasons, turn } = started();
    expect(delays()).toEqual([98]);
    expect(log).not.toContain('unref');
    fire(98);
    expect(reports).toStrictEqual([late]);
    expect(delays()).toEqual([150]);
    expect(log).toEqual(['enter 4', 'push', 'unref']);
    expect([turn.over, signals[0]?.aborted]).toEqual([false, false]);
    fire(150);
    const message =
      'embedder by-hand: expected an answer within 250 ms, received none; find out why it hangs, ' +
      'or set a longer operationTimeoutMs';
    expect(log.slice(3)).toEqual([
      'leave',
      'clear OVERLOADED',
      'idle',
      `warn EMBEDDER_FAILED: ${message} (novelty is 0.5 until an embedding succeeds)`,
      'release 4',
      'abandon',
      'advance',
    ]);
    expect(signals[0]?.reason).toMatchObject({ code: 'OPERATION_TIMEOUT', message });
    expect(reasons).toEqual([]);
    expect(timers.size).toBe(0);
  });

  it('has begun with the call, and is over at once where the embedder kept the thread', () => {
    started({ startedAt: clock - 40 });
    expect(delays()).toEqual([58]);
    timers.clear();
    started({
      onEmbed: () => {
        clock += 200;
      },
    });
    expect(delays()).toEqual([0]);
  });

  it('that is as long as the time-out needs one timer, and one that is longer two', () => {
    started({ budgetMs: 250 });
    expect(delays()).toEqual([248]);
    timers.clear();
    const { reports } = started({ budgetMs: 251 });
    expect(delays()).toEqual([250, 249]);
    fire(249);
    expect(reports).toStrictEqual([late]);
    expect(delays()).toEqual([250]);
  });

  it('is refused by one that has no report', () => {
    const { reports, reasons } = started({ compare: false });
    fire(98);
    expect(reports).toEqual([]);
    expect(reasons).toMatchObject([{ code: 'BUDGET_EXCEEDED' }]);
  });

  it('starts no wait for an embedder that has answered', async () => {
    const { embedded } = started();
    await embedded();
    fire(98);
    expect(timers.size).toBe(0);
    timers.clear();
    const other = started({ budgetMs: Infinity });
    await other.embedded();
    fire(250);
    expect([other.turn.over, log.at(-1)]).toEqual([false, 'advance']);
    expect(log.filter((entry) => entry.startsWith('warn'))).toEqual([]);
  });

  it.each([
    [2 ** 31 - 1, Infinity, [2 ** 31 - 3]],
    [2 ** 31, Infinity, []],
    [Infinity, 2 ** 31 - 1, [2 ** 31 - 1]],
    [Infinity, 2 ** 31, []],
    [Infinity, Infinity, []],
  ])('of %d ms with a time-out of %d ms', (budgetMs, operationTimeoutMs, expected) => {
    started({ budgetMs, operationTimeoutMs });
    expect(delays()).toEqual(expected);
  });
});

describe('a turn that fails', () => {
  it('in the embedder is not counted as given up', async () => {
    const { reports, failed, signals } = started();
    log.length = 0;
    await failed(new Error('no model'));
    expect(log).toEqual([
      'release 4',
      'leave',
      'clear OVERLOADED',
      'idle',
      'warn EMBEDDER_FAILED: no model (novelty is 0.5 until an embedding succeeds)',
      'advance',
    ]);
    expect(reports).toStrictEqual([
      {
        source: 'embedder_failed',
        truncated: false,
        embedder: 'by-hand',
        failure: { code: 'EMBEDDER_FAILED', message: 'no model' },
      },
    ]);
    expect(signals[0]?.aborted).toBe(false);
    expect(timers.size).toBe(0);
  });

  it('in the memory says so, once', async () => {
    const { turn, reports, embedded } = started();
    await embedded();
    log.length = 0;
    turn.failed(new Error('disk full'));
    turn.failed(new Error('again'));
    turn.answered({});
    expect(log).toEqual([
      'leave',
      'clear OVERLOADED',
      'idle',
      'warn MEMORY_FAILED: disk full',
      'clear MEMORY_FAILED',
    ]);
    expect(reports[0]).toStrictEqual({
      source: 'memory_failed',
      truncated: false,
      embedder: 'by-hand',
      failure: { code: 'MEMORY_FAILED', message: 'disk full' },
    });
  });

  it('and has no report rejects with what went wrong', async () => {
    const { reports, reasons, failed } = started({ compare: false });
    const cause = new Error('no model');
    await failed(cause);
    expect([reports, reasons]).toEqual([[], [cause]]);
  });
});

describe('a signal', () => {
  it('gives up the embedding, whose late answer is only counted', async () => {
    for (const end of ['embedded', 'failed'] as const) {
      const controller = new AbortController();
      const turn = started({ signal: controller.signal });
      log.length = 0;
      const reason = new Error('no longer needed');
      controller.abort(reason);
      expect(log).toEqual(['leave', 'clear OVERLOADED', 'idle', 'release 4', 'abandon', 'advance']);
      expect(turn.reasons).toEqual([reason]);
      expect(turn.signals[0]?.reason).toBe(reason);
      log.length = 0;
      await (end === 'embedded' ? turn.embedded() : turn.failed(new Error('aborted')));
      expect(log).toEqual(['recover']);
      expect(turn.turn.entry).toBeUndefined();
      expect(timers.size).toBe(0);
    }
  });

  it('after the embedding gives up no embedding', async () => {
    const controller = new AbortController();
    const { embedded, reasons, signals } = started({ signal: controller.signal });
    await embedded();
    log.length = 0;
    controller.abort(new Error('enough'));
    expect(log).toEqual(['leave', 'clear OVERLOADED', 'idle', 'advance']);
    expect([reasons.length, signals[0]?.aborted]).toEqual([1, false]);
  });

  it('that the embedder aborts is seen', () => {
    const controller = new AbortController();
    const onEmbed = (): void => controller.abort(new Error('by the embedder'));
    const { reasons } = started({ signal: controller.signal, onEmbed });
    expect(reasons).toMatchObject([{ message: 'by the embedder' }]);
  });

  it('is let go of at the end', async () => {
    const { signal } = new AbortController();
    const removed = spyOn(signal, 'removeEventListener');
    const added = spyOn(signal, 'addEventListener');
    const { turn, embedded } = started({ signal });
    await embedded();
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 0]);
    turn.answered({});
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual([
      added.mock.calls[0]?.[1] as never,
    ]);
  });
});
