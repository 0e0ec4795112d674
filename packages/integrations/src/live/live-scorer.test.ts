import { describe, expect, it } from 'bun:test';
import { createLexicalEmbedder } from '@kp/embedder';
import type { KnowledgePulseError } from '@kp/foundation';
import { createScorer, type Scorer } from '@kp/scoring';
import { useVirtualTime } from '@kp/testing/virtual-time';
import type { ReadRun } from '../run/finished-run.ts';
import { createLiveScorer } from './live-scorer.ts';

const scorer = (): Scorer => createScorer({ embedder: createLexicalEmbedder() });
const runOf = (number: number, text = `Task number ${number}`): ReadRun => ({
  format: 'test',
  run: {
    source: { number },
    objective: text,
    steps: [{ kind: 'tool_call', name: 'look' }],
    record: null,
  },
});

describe('createLiveScorer', () => {
  it('scores 1,000 concurrent runs in the order in which they ended', async () => {
    const seen: string[] = [];
    const live = createLiveScorer({
      scorer: scorer(),
      onScore: ({ trace }) => void seen.push(trace.task.objective),
    });
    for (let number = 0; number < 1000; number++) live.add(() => runOf(number));
    expect(live.pending).toBe(1000);
    await live.flush(60_000);
    expect(live.pending).toBe(0);
    expect(seen).toEqual(Array.from({ length: 1000 }, (_, number) => `Task number ${number}`));
  });

  it('does no work within the call of add', async () => {
    let reads = 0;
    const live = createLiveScorer({ scorer: scorer() });
    live.add(() => {
      reads++;
      return runOf(1);
    });
    expect(reads).toBe(0);
    await live.flush();
    expect(reads).toBe(1);
  });

  it('drops and reports runs that exceed maxPending', async () => {
    const errors: KnowledgePulseError[] = [];
    let scored = 0;
    const live = createLiveScorer({
      scorer: scorer(),
      maxPending: 10,
      onScore: () => void scored++,
      onError: (error) => void errors.push(error),
    });
    for (let number = 0; number < 25; number++) live.add(() => runOf(number));
    await live.flush();
    expect(scored).toBe(10);
    expect(errors.map(({ code }) => code)).toEqual(new Array(15).fill('OVERLOADED'));
  });

  it('leaves no unhandled rejection if async readers and handlers fail', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    try {
      const codes: string[] = [];
      const live = createLiveScorer({
        scorer: scorer(),
        onError: async ({ code }) => {
          codes.push(code);
          throw new Error('the handler fails as well');
        },
      });
      const rejecting = (): Promise<never> => Promise.reject(new Error('unreadable'));
      live.add(rejecting as unknown as () => never);
      await live.flush();
      await new Promise((resolve) => setImmediate(resolve));
      expect(codes).toEqual(['SCORING_FAILED']);
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });

  it('reports failures of reading, scoring and callbacks, and continues', async () => {
    const codes: string[] = [];
    const scored: string[] = [];
    const live = createLiveScorer({
      scorer: scorer(),
      onError: ({ code }) => {
        codes.push(code);
        throw new Error('so does the handler of errors');
      },
      async onScore({ trace }) {
        if (trace.task.objective === 'throws') throw new Error('broken');
        scored.push(trace.task.objective);
      },
    });
    live.add(() => {
      throw new Error('a getter that throws');
    });
    live.add(() => ({ format: 'test', run: { source: {}, steps: [], record: null } }));
    live.add(() => runOf(1), { confidence: 7 });
    live.add(() => runOf(2, 'throws'));
    live.add(() => runOf(3, 'fine'));
    await live.flush();
    expect(codes).toEqual(['SCORING_FAILED', 'RUN_EMPTY', 'INVALID_VALUE', 'CALLBACK_FAILED']);
    expect(scored).toEqual(['fine']);
  });

  it('compares runs with an unchanged baseline in any order', async () => {
    const base = scorer();
    const novelties = async (numbers: readonly number[]): Promise<Map<string, number>> => {
      const found = new Map<string, number>();
      const live = createLiveScorer({
        scorer: base,
        remember: false,
        onScore: ({ trace, report }) =>
          void found.set(trace.task.objective, report.dimensions.novelty),
      });
      for (const number of numbers) live.add(() => runOf(number));
      await live.flush();
      return new Map([...found].sort());
    };
    const first = createLiveScorer({ scorer: base });
    first.add(() => runOf(0));
    await first.flush();
    expect(await novelties([1, 2, 3])).toEqual(await novelties([3, 1, 2]));
  });

  it('reports a fact with an unknown name, and does not score the run without it', async () => {
    const errors: string[] = [];
    const live = createLiveScorer({
      scorer: scorer(),
      onScore: ({ runId }) => void errors.push(`scored ${runId}`),
      onError: ({ code, message }) => void errors.push(`${code} ${message}`),
    });
    live.add(() => runOf(1), { succes: false } as never);
    await live.flush();
    expect(errors).toEqual([
      expect.stringMatching(/^OPTION_INVALID facts: .*, received succes; did you mean success\?$/),
    ]);
  });

  it.each([
    [{ scorer: undefined }, 'scorer: expected a scorer, received nothing'],
    [{ maxPending: 0 }, 'maxPending: expected a number of at least 1, received 0'],
    [{ maxPending: Number.NaN }, 'received NaN'],
    [{ sample: 10 }, 'sample: expected a number from 0 to 1, received 10'],
    [{ remmember: false }, 'received remmember; did you mean remember?'],
    [{ factsOf: () => ({}) }, 'received factsOf; leave it out'],
  ])('rejects %p', (change, message) => {
    expect(() => createLiveScorer({ scorer: scorer(), ...change } as never)).toThrow(message);
  });
});

describe('a flush', () => {
  useVirtualTime();

  it('ends in time even if the scorer hangs', async () => {
    const codes: string[] = [];
    const stuck = { ...scorer(), evaluate: () => new Promise<never>(() => undefined) };
    const live = createLiveScorer({ scorer: stuck, onError: ({ code }) => void codes.push(code) });
    live.add(() => runOf(1));
    const startedAt = performance.now();
    await live.flush(50);
    expect(performance.now() - startedAt).toBe(50);
    expect(codes).toEqual(['FLUSH_TIMED_OUT']);
  });
});
