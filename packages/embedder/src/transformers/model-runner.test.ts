import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORD_MODEL, wordLibrary, writeWordModel } from '../../test/word-library.ts';
import { createModelRunner } from './model-runner.ts';
import type { TransformersEmbedderOptions } from './transformers-options.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runner-'));
  await writeWordModel(folder);
});
afterAll(() => rm(folder, { recursive: true }));

function runnerOf(options: TransformersEmbedderOptions = {}) {
  const { state, library } = wordLibrary();
  const runner = createModelRunner({
    ...WORD_MODEL,
    localModelPath: folder,
    transformers: library,
    ...options,
  });
  return { runner, state };
}

describe('createModelRunner', () => {
  it('runs texts of like length together where batches agree, which it tries once', async () => {
    const { runner, state } = runnerOf();
    await runner.ready();
    // One text, of the try-out.
    expect(state.runs).toEqual([1]);
    await runner.embed(['a bb', 'bb a'], {});
    expect(state.runs).toEqual([1, 2, 1, 1, 2]);
    await runner.embed(['a bb', 'bb a'], {});
    expect(state.runs).toEqual([1, 2, 1, 1, 2, 2]);
  });

  it('does not try batches for one text, nor where they are turned off', async () => {
    const { runner, state } = runnerOf();
    await runner.embed(['a bb'], {});
    expect(state.runs).toEqual([1, 1]);
    const single = runnerOf({ batchSize: 1 });
    await single.runner.embed(['a', 'bb'], {});
    expect(single.state.runs).toEqual([1, 1, 1]);
  });

  it('counts tokens and chunks, and weighs chunks by their tokens', async () => {
    const { runner } = runnerOf({ longText: 'chunk', batchSize: 1 });
    // Room for 6 words of 8 tokens: 4 are (1, 0), and 3 are (0, 1).
    const [embedding] = await runner.embed(['a a a a bb bb bb'], { boundaries: [[8]] });
    expect(embedding).toMatchObject({ truncated: false, tokens: 6 + 5, chunks: 2 });
    expect(embedding?.vector).toEqual(Float32Array.of(6 / Math.hypot(6, 5), 5 / Math.hypot(6, 5)));
  });

  it('cuts at the smallest window of model, tokenizer and options', async () => {
    const text = 'a a a a a a a a a';
    const [cut] = await runnerOf().runner.embed([text], {});
    expect(cut).toMatchObject({ truncated: true, tokens: 8, chunks: 1 });
    const [less] = await runnerOf({ maxTokens: 5 }).runner.embed([text], {});
    expect(less).toMatchObject({ truncated: true, tokens: 5 });
    const [more] = await runnerOf({ maxTokens: 9 }).runner.embed([text], {});
    expect(more).toMatchObject({ truncated: true, tokens: 8 });
  });

  it('gives zeros for a text with nothing in it, without a run', async () => {
    const { runner, state } = runnerOf();
    expect(await runner.embed(['', ' \n'], {})).toEqual([
      { vector: new Float32Array(2), truncated: false, tokens: 0, chunks: 0 },
      { vector: new Float32Array(2), truncated: false, tokens: 0, chunks: 0 },
    ]);
    expect(state.runs).toEqual([1]);
  });

  it('hands the options on to the library', async () => {
    const { runner, state } = runnerOf({ device: 'wasm', sessionOptions: { executionMode: 'x' } });
    await runner.ready();
    expect(state.options).toMatchObject({
      local_files_only: true,
      dtype: 'q8',
      device: 'wasm',
      config: { hidden_size: 2 },
      session_options: { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'x' },
    });
    const plain = runnerOf();
    await plain.runner.ready();
    expect(plain.state.options.device).toBeNull();
  });

  it('takes a function that gives the library', async () => {
    const { library, state } = wordLibrary();
    const { runner } = runnerOf({ transformers: async () => library });
    await runner.embed(['a'], {});
    expect(state.runs).toEqual([1, 1]);
  });

  it('frees the model when it is closed, after what runs, and refuses then', async () => {
    const { runner, state } = runnerOf();
    await runner.close();
    expect(state.disposed).toBe(0);
    await expect(runner.embed(['a'], {})).rejects.toMatchObject({
      code: 'EMBEDDER_CLOSED',
      subject: 'transformers/own/model@main/q8/mean',
    });
    const used = runnerOf();
    const running = used.runner.embed(['a'], {});
    await used.runner.ready();
    await used.runner.close();
    expect(await running).toHaveLength(1);
    expect(used.state.disposed).toBe(1);
  });

  it('frees a model that does not stand the try-out', async () => {
    const { library, state } = wordLibrary();
    const { runner } = runnerOf({ transformers: library, dimensions: 3 });
    await writeFile(join(folder, 'own', 'model', 'config.json'), '{}');
    await expect(runner.ready()).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
      subject: join(folder, 'own', 'model', 'onnx', 'model_quantized.onnx'),
      received: '2',
    });
    expect(state.disposed).toBe(1);
  });
});
