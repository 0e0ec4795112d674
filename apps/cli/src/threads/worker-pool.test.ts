import { afterEach, describe, expect, it } from 'bun:test';
import { Worker } from 'node:worker_threads';
import { createWorkerPool } from './worker-pool.ts';

interface Message {
  readonly text: string;
}

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

/** A pool with one worker, which is ready and answers nothing, and the requests that this thread answered. */
function poolOf(answer?: (request: Message) => Promise<Message>) {
  const program = `require('node:worker_threads').parentPort.on('message', () => 0).postMessage('ready')`;
  const stop = new AbortController();
  stops.push(stop);
  const worker = new Worker(program, { eval: true });
  const ready = new Promise((resolve) => worker.once('message', resolve));
  const pool = createWorkerPool<object, Message, Message>('line-worker', {
    workers: 1,
    settings: {},
    stopped: stop.signal,
    onFailure: () => undefined,
    start: () => worker,
    ...(answer === undefined ? {} : { answer }),
  });
  return { pool, ready, stop };
}

describe('assist', () => {
  it('answers the requests that no worker has, the oldest first', async () => {
    const answered: string[] = [];
    const { pool, ready, stop } = poolOf(async ({ text }) => {
      answered.push(text);
      return { text: `${text}!` };
    });
    const asked = ['a', 'b', 'c', 'd', 'e'].map((text) => pool.ask({ text }));
    await ready;
    await pool.assist();
    await pool.assist();
    // The worker has the first three.
    await pool.assist();
    expect(answered).toEqual(['d', 'e']);
    stop.abort();
    const expected = [undefined, undefined, undefined, { text: 'd!' }, { text: 'e!' }];
    expect(await Promise.all(asked)).toEqual(expected);
  });

  it('gives no answer if this thread fails', async () => {
    const { pool } = poolOf(() => Promise.reject(new Error('out of memory')));
    const asked = pool.ask({ text: 'a' });
    await pool.assist();
    expect(await asked).toBeUndefined();
  });

  it('does nothing if this thread cannot answer', async () => {
    const { pool, stop } = poolOf();
    const asked = pool.ask({ text: 'a' });
    await pool.assist();
    stop.abort();
    expect(await asked).toBeUndefined();
  });
});
