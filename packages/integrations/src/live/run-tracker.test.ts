import { describe, expect, it } from 'bun:test';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { watchScores } from '../../test/watch-scores.ts';
import type { RunEnding } from '../run/run-ending.ts';
import { createLiveScorer } from './live-scorer.ts';
import { createRunTracker } from './run-tracker.ts';

describe('createRunTracker', () => {
  const time = useVirtualTime();

  function tracking() {
    const { options, errors } = watchScores();
    const ended: [string, RunEnding['kind'] | undefined][] = [];
    const runs = createRunTracker<string>(createLiveScorer(options), (run, ending) => {
      ended.push([run, ending?.kind]);
    });
    return { runs, ended, errors };
  }

  it('ends a run once', () => {
    const { runs, ended } = tracking();
    runs.start('a', 'run a');
    runs.end('a');
    runs.end('a');
    runs.end('b');
    expect(ended).toEqual([['run a', undefined]]);
    expect(runs.get('a')).toBeUndefined();
  });

  it('ends the run idle the longest if more than 1,000 are open', () => {
    const { runs, ended, errors } = tracking();
    for (let run = 0; run < 1000; run++) runs.start(`${run}`, `run ${run}`);
    expect(runs.get('0')).toBe('run 0');
    runs.start('1000', 'run 1000');
    expect(ended).toEqual([['run 1', 'unfinished']]);
    expect(runs.size).toBe(1000);
    expect(errors.map(({ code }) => code)).toEqual(['OVERLOADED']);
  });

  it('ends a run after a delay unless an event arrives', () => {
    const { runs, ended } = tracking();
    const ending = { kind: 'error', reason: 'failed' } as const;
    for (const key of ['a', 'b']) {
      runs.start(key, `run ${key}`);
      runs.endLater(key, 1000, ending);
    }
    time.pass(999);
    runs.get('b');
    time.pass(1000);
    expect(ended).toEqual([['run a', 'error']]);
  });

  it('ends a run that may be complete on flush, unless an event follows', async () => {
    const { runs, ended } = tracking();
    for (const key of ['a', 'b']) {
      runs.start(key, `run ${key}`);
      runs.endOnFlush(key);
    }
    runs.get('b');
    const flushed = runs.flush();
    expect(ended).toEqual([['run a', undefined]]);
    runs.endOnFlush('b');
    await flushed;
    expect(ended.at(-1)).toEqual(['run b', undefined]);
  });

  it('ends runs with a planned end on flush', async () => {
    const { runs, ended } = tracking();
    runs.start('a', 'run a');
    runs.endLater('a', 1000);
    await runs.flush();
    expect(ended).toEqual([['run a', undefined]]);
  });

  it('waits for running runs on flush', async () => {
    const { runs, ended, errors } = tracking();
    runs.start('a', 'run a');
    setTimeout(() => runs.end('a'), 500);
    await runs.flush();
    expect(ended).toEqual([['run a', undefined]]);
    expect(errors).toEqual([]);
  });

  it('ends runs idle during a flush as unfinished and reports the others', async () => {
    const { runs, ended, errors } = tracking();
    for (const key of ['silent', 'busy', 'paused']) runs.start(key, key);
    runs.pause('paused');
    setTimeout(() => runs.get('busy'), 50);
    await runs.flush(100);
    expect(ended).toEqual([['silent', 'unfinished']]);
    expect(errors.map(({ code, received }) => [code, received])).toEqual([
      ['FLUSH_TIMED_OUT', '1 still running'],
    ]);
  });

  it('does not wait for a paused run until its next event', async () => {
    const { runs, ended } = tracking();
    runs.start('a', 'run a');
    runs.pause('a');
    const startedAt = performance.now();
    await runs.flush();
    expect(performance.now() - startedAt).toBeLessThan(10);
    runs.get('a');
    setTimeout(() => runs.end('a'), 500);
    await runs.flush();
    expect(ended).toEqual([['run a', undefined]]);
  });

  it('ends all runs on shutdown', () => {
    const { runs, ended } = tracking();
    runs.start('a', 'run a');
    runs.start('b', 'run b');
    runs.endLater('b', 1000, { kind: 'error', reason: 'failed' });
    runs.endAll();
    expect(ended).toEqual([
      ['run b', 'error'],
      ['run a', 'unfinished'],
    ]);
  });
});
