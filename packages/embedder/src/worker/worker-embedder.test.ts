import { afterAll, expect, it } from 'bun:test';
import { describeWith, modelsNeed } from '@kp/testing/needs';
import { MINILM_GRAPH, SMALL_MODEL } from '../../test/models.ts';
import { createTransformersEmbedder } from '../create-transformers-embedder.ts';
import type { Request } from './messages.ts';

describeWith(modelsNeed, 'createTransformersEmbedder in a worker', () => {
  const options = { ...SMALL_MODEL, cache: false } as const;
  const embedder = createTransformersEmbedder({ ...options, worker: true });
  const inThread = createTransformersEmbedder(options);
  afterAll(() => Promise.all([embedder.close(), inThread.close()]));

  it('returns the same vectors under the same id as in this thread', async () => {
    const texts = ['A man is eating food.', '', 'word '.repeat(9_000)];
    expect(await embedder.embed(texts)).toEqual(await inThread.embed(texts));
    expect(embedder.id).toBe(inThread.id);
  });

  it('leaves the event loop free while it loads and runs', async () => {
    const turnsDuringLoad = async (worker: boolean): Promise<number> => {
      const loading = createTransformersEmbedder({ ...MINILM_GRAPH, worker, cache: false });
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      await loading.ready();
      clearInterval(timer);
      await loading.close();
      return turns;
    };
    // Nearly all of the time is spent creating the session, which blocks its thread.
    const turnsWithin = await turnsDuringLoad(false);
    expect(await turnsDuringLoad(true)).toBeGreaterThan(4 * turnsWithin);
  }, 60_000);

  it('rejects with the load error of the worker including all fields', async () => {
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

  it('stops cancelled work', async () => {
    const controller = new AbortController();
    const texts = Array.from({ length: 3_000 }, (_, i) => `text ${i}`);
    const abandoned = embedder.embed(texts, { signal: controller.signal });
    const next = embedder.embed(['a']);
    controller.abort(new Error('enough'));
    await expect(abandoned).rejects.toThrow('enough');
    expect(await next).toHaveLength(1);
  });

  it('rejects the calls of a worker that dies and starts another for the next call', async () => {
    let started = 0;
    const url = new URL('../embedder-worker.ts', import.meta.url);
    const fragile = createTransformersEmbedder({
      ...options,
      worker: () => {
        const worker = new Worker(url, { type: 'module' });
        const post = worker.postMessage.bind(worker);
        let isFirst = started++ === 0;
        worker.postMessage = (request: Request) => {
          if (request.type !== 'embed' || !isFirst) return post(request);
          isFirst = false;
          worker.terminate();
        };
        return worker;
      },
    });
    await fragile.ready();
    const call = fragile.embed(['a']);
    await expect(call).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    expect(await fragile.embed(['a'])).toHaveLength(1);
    await fragile.close();
  });
});
