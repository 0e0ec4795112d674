import { describe, expect, it } from 'bun:test';
import { createBoundedQueue } from './bounded-queue.ts';

/** What a promise has come to after all that is due has run. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  let state: unknown = 'pending';
  void promise.then((value) => {
    state = value;
  });
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  return state;
}

describe('a bounded queue', () => {
  it('lets the writer go on while there is room, and no longer', async () => {
    const queue = createBoundedQueue<string>(2);
    expect(await stateOf(queue.push('a'))).toBe(true);
    const second = queue.push('b');
    expect(await stateOf(second)).toBe('pending');
    queue.removeFirst();
    expect(await stateOf(second)).toBe(true);
  });

  it('gives the oldest as often as it is asked, until that is removed', async () => {
    const queue = createBoundedQueue<string>(3);
    void queue.push('a');
    void queue.push('b');
    expect([await queue.first(), await queue.first()]).toEqual(['a', 'a']);
    queue.removeFirst();
    expect(await queue.first()).toBe('b');
  });

  it('lets the reader wait for what comes, and tells it of the end after the rest', async () => {
    const queue = createBoundedQueue<string>(3);
    const first = queue.first();
    expect(await stateOf(first)).toBe('pending');
    void queue.push('a');
    expect(await stateOf(first)).toBe('a');
    queue.end();
    expect(await queue.first()).toBe('a');
    queue.removeFirst();
    expect(await stateOf(queue.first())).toBeUndefined();
  });

  it('wakes the reader that waits at the end', async () => {
    const queue = createBoundedQueue<string>(1);
    const first = queue.first();
    queue.end();
    expect(await stateOf(first)).toBeUndefined();
  });

  it('tells the writer that the reader has gone, also one that waits', async () => {
    const queue = createBoundedQueue<string>(1);
    const waiting = queue.push('a');
    expect(queue.closed).toBe(false);
    queue.close();
    expect(queue.closed).toBe(true);
    expect(await stateOf(waiting)).toBe(false);
    expect(await stateOf(queue.push('b'))).toBe(false);
  });
});
