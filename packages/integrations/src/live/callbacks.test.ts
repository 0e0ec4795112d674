import { describe, expect, it } from 'bun:test';
import { type KnowledgePulseError, messageOf } from '@kp/foundation';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { watchScores } from '../../test/watch-scores.ts';
import { createCallbacks } from './callbacks.ts';
import { createLiveScorer } from './live-scorer.ts';

const readRun = (objective: string) => ({
  format: 'test',
  run: {
    source: {},
    objective,
    steps: [{ kind: 'thought', content: 'so' }] as const,
    record: null,
  },
});
const hang = () => new Promise<never>(() => undefined);

describe('a callback that does not settle', () => {
  useVirtualTime();

  it('is named in the error and does not stop the scoring of later runs', async () => {
    const seen: string[] = [];
    const { options, errors } = watchScores({
      onScore({ trace }) {
        seen.push(trace.task.objective);
        return trace.task.objective === 'first' ? hang() : undefined;
      },
    });
    const live = createLiveScorer(options);
    for (const objective of ['first', 'second', 'third']) live.add(() => readRun(objective));
    await live.flush();
    expect(seen).toEqual(['first', 'second', 'third']);
    expect(errors.map(messageOf)).toEqual([
      'onScore: expected a callback that settles within 5000 ms, received a callback that is still running; scoring continues without it; fix the callback, or raise the limit',
    ]);
    expect(live.pending).toBe(0);
  });

  it('delays scoring by one timeout, however many calls hang', async () => {
    let calls = 0;
    const { options, errors } = watchScores({
      onScore() {
        calls++;
        return hang();
      },
    });
    const live = createLiveScorer(options);
    for (let run = 0; run < 100; run++) live.add(() => readRun(`run ${run}`));
    const startedAt = performance.now();
    await live.flush();
    expect(performance.now() - startedAt).toBeLessThan(6000);
    expect([calls, errors.length]).toEqual([100, 100]);
  });

  it('is awaited again after it has settled', async () => {
    const errors: KnowledgePulseError[] = [];
    const callbacks = createCallbacks((error) => void errors.push(error), 10);
    const { promise, resolve } = Promise.withResolvers<number>();
    expect(await callbacks.call('onScore', () => promise)).toBeUndefined();
    resolve(1);
    await promise;
    const late = new Promise<number>((settle) => setTimeout(settle, 5, 2));
    expect(await callbacks.call('onScore', () => late)).toBe(2);
    expect(errors).toHaveLength(1);
  });

  it('starts only once if it returns a query builder', async () => {
    let started = 0;
    const callbacks = createCallbacks(() => undefined, 10);
    // biome-ignore lint/suspicious/noThenProperty: query builders have this method.
    const query = { then: () => void started++ } as unknown as PromiseLike<void>;
    expect(await callbacks.call('onScore', () => query)).toBeUndefined();
    expect(started).toBe(1);
  });

  it('is named in the error if a flush times out', async () => {
    const { options, errors } = watchScores({ onScore: hang });
    const live = createLiveScorer(options);
    live.add(() => readRun('first'));
    await live.flush(100);
    expect(errors.map(messageOf)).toEqual([
      'flush: expected all runs scored within 100 ms, received 1 still pending, waiting for onScore; give flush more time, or end the process without them',
    ]);
  });

  it('is named in the error if runs are dropped', async () => {
    const { options, errors } = watchScores({ onScore: hang, maxPending: 1 });
    const live = createLiveScorer(options);
    live.add(() => readRun('first'));
    await live.flush(100);
    live.add(() => readRun('second'));
    expect(errors.at(-1)).toMatchObject({
      code: 'OVERLOADED',
      remedy: 'raise maxPending, or speed up onScore',
    });
  });

  it('leaves a run without its facts', async () => {
    const { options, errors, scores } = watchScores();
    const live = createLiveScorer(options);
    live.add(() => readRun('first'), hang);
    await live.flush();
    expect(scores).toHaveLength(1);
    expect(errors.map(({ code, subject }) => [code, subject])).toEqual([
      ['CALLBACK_FAILED', 'factsOf'],
    ]);
  });

  it('reports a scorer that does not settle as SCORING_FAILED', async () => {
    const { options, errors } = watchScores();
    const scorer = { ...options.scorer, evaluate: hang };
    const live = createLiveScorer({ ...options, scorer });
    live.add(() => readRun('first'));
    await live.flush(200_000);
    expect(errors.map(({ code, subject }) => [code, subject])).toEqual([
      ['SCORING_FAILED', 'scorer'],
    ]);
  });
});

describe('a callback that fails', () => {
  it.each<[string, () => never | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('broken'))],
  ])('that %s is named in the error, and the run keeps its score', async (_, fail) => {
    const { options, scores, errors } = watchScores();
    const live = createLiveScorer(options);
    live.add(() => readRun('first'), fail);
    await live.flush();
    expect(scores).toHaveLength(1);
    expect(errors.map(messageOf)).toEqual([
      'factsOf: expected a callback that does not throw, received broken; scoring continues without it; fix the callback',
    ]);
  });
});
