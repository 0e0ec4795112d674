import { expect, it } from 'bun:test';
import { startThread, type WorkerLike } from './thread.ts';

it('rejects a function that returns a promise and leaves no unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', listen);
  try {
    const create = (): unknown => Promise.reject(new Error('no thread'));
    expect(() => startThread(create as () => WorkerLike)).toThrow(
      'worker: expected a function that returns a worker, received an object of class Promise',
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', listen);
  }
});
