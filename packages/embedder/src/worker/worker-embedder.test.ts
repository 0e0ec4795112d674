import { afterAll, expect, it } from 'bun:test';
import { describeWith, modelsNeed } from '@kp/testing/needs';
import { MINILM_GRAPH, SMALL_MODEL } from '../../test/models.ts';
import { createTransformersEmbedder } from '../transformers/create-transformers-embedder.ts';

describeWith(modelsNeed, 'createTransformersEmbedder in a worker', () => {
  const options = { ...SMALL_MODEL, cache: false } as const;
  const embedder = createTransformersEmbedder({ ...options, worker: true });
  const inThread = createTransformersEmbedder(options);
  afterAll(() => Promise.all([embedder.close(), inThread.close()]));

  it('gives what it gives in this thread, under the same id', async () => {
    const texts = ['A man is eating food.', '', 'word '.repeat(9_000)];
    expect(await embedder.embed(texts)).toEqual(await inThread.embed(texts));
    expect(embedder.id).toBe(inThread.id);
  });

  it('leaves the event loop free while it loads and runs', async () => {
    const longestBlock = async (worker: boolean): Promise<number> => {
      const loading = createTransformersEmbedder({ ...MINILM_GRAPH, worker, cache: false });
      let longest = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 1);
      await loading.ready();
      longest = Math.max(longest, performance.now() - last);
      clearInterval(timer);
      await loading.close();
      return longest;
    };
    const shortest = async (worker: boolean): Promise<number> => {
      const blocks: number[] = [];
      for (let attempt = 0; attempt < 4; attempt++) blocks.push(await longestBlock(worker));
      return Math.min(...blocks);
    };
    // Creating the session is one long block in the thread that does it. Other programs can hold up
    // any single attempt, so the least disturbed one of each kind counts.
    expect(await shortest(true)).toBeLessThan((await shortest(false)) / 2);
  }, 30_000);

  it('rejects with the load error of the worker, all of its fields kept', async () => {
    const missing = createTransformersEmbedder({ localModelPath: '/nowhere', worker: true });
    const error = await missing.embed(['a']).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'EmbedderLoadError',
      code: 'FILE_MISSING',
      subject: '/nowhere/Xenova/all-MiniLM-L6-v2/config.json',
      retryAt: expect.any(Number),
    });
    await missing.close();
  });

  it('stops work that was cancelled', async () => {
    const controller = new AbortController();
    const texts = Array.from({ length: 3_000 }, (_, i) => `text ${i}`);
    const abandoned = embedder.embed(texts, { signal: controller.signal });
    const next = embedder.embed(['a']);
    controller.abort(new Error('enough'));
    await expect(abandoned).rejects.toThrow('enough');
    expect(await next).toHaveLength(1);
  });

  it('fails the calls of a worker that cannot start, and says how to start one', async () => {
    const broken = createTransformersEmbedder({
      ...options,
      worker: () => {
        throw new Error('no such file');
      },
    });
    await expect(broken.embed(['a'])).rejects.toMatchObject({
      code: 'WORKER_FAILED',
      received: 'no such file',
    });
    await broken.close();
  });

  it('fails the calls of a worker that dies, and starts another for the next', async () => {
    let started: Worker | undefined;
    const url = new URL('../embedder-worker.ts', import.meta.url);
    const fragile = createTransformersEmbedder({
      ...options,
      worker: () => {
        started = new Worker(url, { type: 'module' });
        return started;
      },
    });
    await fragile.ready();
    const call = fragile.embed(['word '.repeat(200_000)]);
    started?.terminate();
    await expect(call).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    expect(await fragile.embed(['a'])).toHaveLength(1);
    await fragile.close();
  });

  it('refuses a library object, which cannot be sent', () => {
    const transformers = () => Promise.reject(new Error('not called'));
    expect(() => createTransformersEmbedder({ worker: true, transformers })).toThrow(TypeError);
  });
});
