import { beforeAll, describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { WORD_MODEL, wordLibrary, writeWordModel } from '../test/word-library.ts';
import type { Answer, Request } from './worker/messages.ts';

const { self } = globalThis as { self?: unknown };
const folder = useFolder('worker-');
let tell: (event: { data: Request }) => void;
const answers: Answer[] = [];
const transferred: unknown[] = [];
let heard = Promise.withResolvers<void>();

/** Runs the worker script in this thread, with the test as its parent. */
beforeAll(async () => {
  await writeWordModel(folder);
  const scope = {
    postMessage(answer: Answer, transfer: unknown[]) {
      answers.push(answer);
      transferred.push(...transfer);
      heard.resolve();
    },
    addEventListener(_: 'message', receive: typeof tell) {
      tell = receive;
    },
  };
  Reflect.set(globalThis, 'self', scope);
  try {
    await import('./embedder-worker.ts');
  } finally {
    Reflect.set(globalThis, 'self', self);
  }
});

/** Returns the next response. */
async function answerTo(request: Request): Promise<Answer | undefined> {
  answers.length = 0;
  heard = Promise.withResolvers();
  tell({ data: request });
  await heard.promise;
  return answers[0];
}

describe('the worker script', () => {
  it('answers each request with its number', async () => {
    expect(answers).toEqual([{ type: 'started' }]);
    // No model is loaded yet.
    expect(await answerTo({ type: 'ready', number: 7 })).toMatchObject({ type: 'done', number: 7 });
    const embed = (number: number, ...texts: string[]): Request => {
      return { type: 'embed', number, texts, boundaries: undefined };
    };
    expect(await answerTo(embed(8, 'a'))).toEqual({ type: 'done', number: 8, embeddings: [] });

    const { library, state } = wordLibrary();
    const options = { ...WORD_MODEL, localModelPath: folder, batchSize: 1, transformers: library };
    tell({ data: { type: 'start', options } });
    expect(await answerTo({ type: 'ready', number: 0 })).toMatchObject({ type: 'done', number: 0 });
    expect(state.runs).toHaveLength(1);
    transferred.length = 0;
    const done = await answerTo(embed(1, 'a', 'bb'));
    const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    expect(done).toMatchObject({
      type: 'done',
      number: 1,
      embeddings: vectors.map((vector) => ({ vector, tokens: 3, chunks: 1 })),
    });
    // The buffer is transferred, not copied.
    expect(transferred).toHaveLength(2);

    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const cancelled = answerTo(embed(2, 'a', 'bb'));
    tell({ data: { type: 'cancel', cancelled: 1 } });
    tell({ data: { type: 'cancel', cancelled: 2 } });
    expect(await cancelled).toEqual({
      type: 'failed',
      number: 2,
      error: { name: 'Error', message: 'cancelled' },
    });
    gate.resolve();
    expect(await answerTo({ type: 'close', number: 3 })).toMatchObject({ type: 'done', number: 3 });
    expect(state.disposed).toBe(1);
    expect(await answerTo(embed(4, 'a'))).toMatchObject({ type: 'failed', number: 4 });
  });

  it('reports load errors with all of their fields', async () => {
    const options = { ...WORD_MODEL, localModelPath: join(folder, 'nowhere') };
    tell({
      data: {
        type: 'start',
        options: { ...options, transformers: wordLibrary().library } as never,
      },
    });
    expect(await answerTo({ type: 'ready', number: 1 })).toMatchObject({
      type: 'failed',
      error: { name: 'EmbedderLoadError', details: { code: 'FILE_MISSING' } },
    });
  });
});
