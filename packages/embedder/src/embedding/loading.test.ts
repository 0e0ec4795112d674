import { describe, expect, it } from 'bun:test';
import { EmbedderLoadError } from './errors.ts';
import { retryingLoad } from './loading.ts';

const failure = () =>
  new EmbedderLoadError({
    code: 'FILE_MISSING',
    subject: 'model.onnx',
    expected: 'a file',
    received: 'nothing',
    remedy: 'Put it there.',
  });

describe('retryingLoad', () => {
  it('loads once for concurrent and later callers', async () => {
    let loads = 0;
    const get = retryingLoad(async () => ++loads);
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
    expect(await get()).toBe(1);
  });

  it('rejects with the same error until the next attempt is due, then doubles the wait', async () => {
    let time = 0;
    const errors = [failure(), failure(), failure()];
    let loads = 0;
    const get = retryingLoad(
      async () => {
        throw errors[loads++];
      },
      { initialDelayMs: 100, maxDelayMs: 150, now: () => time },
    );
    const caught = () => get().catch((error: unknown) => error);
    expect(await caught()).toBe(errors[0]);
    expect(errors[0]?.retryAt).toBe(100);
    time = 99;
    expect(await caught()).toBe(errors[0]);
    time = 100;
    expect(await caught()).toBe(errors[1]);
    expect(errors[1]?.retryAt).toBe(250);
    time = 250;
    await caught();
    expect(errors[2]?.retryAt).toBe(400);
    expect(loads).toBe(3);
  });

  it('keeps a success after a failure and never loads again', async () => {
    let time = 0;
    let loads = 0;
    const get = retryingLoad(
      async () => {
        if (++loads === 1) throw failure();
        return 'loaded';
      },
      { initialDelayMs: 10, now: () => time },
    );
    await expect(get()).rejects.toThrow('model.onnx: expected a file, received nothing');
    time = 10;
    expect(await get()).toBe('loaded');
    time = 1e9;
    expect(await get()).toBe('loaded');
    expect(loads).toBe(2);
  });

  it('retries immediately if the clock was set back or forward by a day', async () => {
    for (const jump of [-86_400_000, 86_400_000]) {
      let time = 1e12;
      let loads = 0;
      const get = retryingLoad(
        async () => {
          if (++loads === 1) throw failure();
          return 'loaded';
        },
        { now: () => time },
      );
      await expect(get()).rejects.toThrow('model.onnx');
      time += jump;
      expect(await get()).toBe('loaded');
    }
  });

  it('lets callers join an attempt that takes longer than the wait', async () => {
    let time = 0;
    let loads = 0;
    const gate = Promise.withResolvers<string>();
    const get = retryingLoad(
      () => {
        if (++loads === 1) return Promise.reject(failure());
        return gate.promise;
      },
      { initialDelayMs: 10, now: () => time },
    );
    await get().catch(() => undefined);
    time = 10;
    const first = get();
    time = 1_000_000;
    const second = get();
    gate.resolve('loaded');
    expect(await Promise.all([first, second])).toEqual(['loaded', 'loaded']);
    expect(loads).toBe(2);
  });
});
