import { beforeAll, describe, expect, it } from 'bun:test';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { skipWaits } from '@kp/testing/waits';
import { WORD_MODEL, wordLibrary, writeWordModel } from '../../test/word-library.ts';
import { createModelRunner } from './model-runner.ts';
import type { TransformersLibrary } from './transformers-library.ts';
import type { TransformersEmbedderOptions } from './transformers-options.ts';

const folder = useFolder('runner-');
beforeAll(async () => {
  await writeWordModel(folder);
});

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
  it('batches texts of similar length if a one-time check shows that batches agree', async () => {
    const { runner, state } = runnerOf();
    await runner.ready();
    // The single text of the test run.
    expect(state.runs).toEqual([1]);
    await runner.embed(['a bb', 'bb a'], {});
    expect(state.runs).toEqual([1, 2, 1, 1, 2]);
    await runner.embed(['a bb', 'bb a'], {});
    expect(state.runs).toEqual([1, 2, 1, 1, 2, 2]);
  });

  it('does not check batches for a single text or if they are disabled', async () => {
    const { runner, state } = runnerOf();
    await runner.embed(['a bb'], {});
    expect(state.runs).toEqual([1, 1]);
    const single = runnerOf({ batchSize: 1 });
    await single.runner.embed(['a', 'bb'], {});
    expect(single.state.runs).toEqual([1, 1, 1]);
  });

  it('counts tokens and chunks and weights chunks by their tokens', async () => {
    const { runner } = runnerOf({ longText: 'chunk', batchSize: 1 });
    // A window of 8 tokens has room for 6 words: 4 are (1, 0), and 3 are (0, 1).
    const [embedding] = await runner.embed(['a a a a bb bb bb'], { boundaries: [[8]] });
    expect(embedding).toMatchObject({ truncated: false, tokens: 6 + 5, chunks: 2 });
    expect(embedding?.vector).toEqual(Float32Array.of(6 / Math.hypot(6, 5), 5 / Math.hypot(6, 5)));
  });

  it('truncates at the smallest window of model, tokenizer and options', async () => {
    const text = 'a a a a a a a a a';
    const [cut] = await runnerOf().runner.embed([text], {});
    expect(cut).toMatchObject({ truncated: true, tokens: 8, chunks: 1 });
    const [less] = await runnerOf({ maxTokens: 5 }).runner.embed([text], {});
    expect(less).toMatchObject({ truncated: true, tokens: 5 });
    const [more] = await runnerOf({ maxTokens: 9 }).runner.embed([text], {});
    expect(more).toMatchObject({ truncated: true, tokens: 8 });
  });

  it('returns zeros for an empty text without running the model', async () => {
    const { runner, state } = runnerOf();
    expect(await runner.embed(['', ' \n'], {})).toEqual([
      { vector: new Float32Array(2), truncated: false, tokens: 0, chunks: 0 },
      { vector: new Float32Array(2), truncated: false, tokens: 0, chunks: 0 },
    ]);
    expect(state.runs).toEqual([1]);
  });

  it('processes calls in order, including calls without work', async () => {
    const { runner } = runnerOf();
    await runner.ready();
    const order: string[] = [];
    const calls = [['a a'], [''], ['bb']].map((texts) =>
      runner.embed(texts, {}).then(() => order.push(`${texts}`)),
    );
    await Promise.all(calls);
    expect(order).toEqual(['a a', '', 'bb']);
  });

  it('frees the model on close after the current run and rejects later calls', async () => {
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

  it('waits two seconds for a hanging run on close', async () => {
    let begun = (): void => undefined;
    const loading = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const never = (): Promise<never> => {
      begun();
      return new Promise(() => undefined);
    };
    const { runner } = runnerOf({ transformers: never });
    void runner.embed(['a'], {});
    await loading;
    const waits = skipWaits();
    try {
      await runner.close();
      expect(waits.asked).toEqual([2000]);
    } finally {
      waits.restore();
    }
  });

  it('frees a model whose first run fails and reports the failure even if freeing fails', async () => {
    const { library, state } = wordLibrary();
    const { AutoModel } = library;
    const from_pretrained = async (path: string, options: Record<string, unknown>) => {
      const model = await AutoModel.from_pretrained(path, options);
      const free = model.dispose;
      const dispose = async () => {
        await free();
        throw new Error('cannot be freed');
      };
      return Object.assign(model, { dispose });
    };
    const transformers = { ...library, AutoModel: { from_pretrained } };
    const { runner } = runnerOf({ transformers, dimensions: 3 });
    await writeFile(join(folder, 'own', 'model', 'config.json'), '{}');
    await expect(runner.ready()).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
      subject: join(folder, 'own', 'model', 'onnx', 'model_quantized.onnx'),
      received: '2',
    });
    expect(state.disposed).toBe(1);
  });
});

describe('createModelRunner with invalid files', () => {
  const files = () => join(folder, 'own', 'model');
  const advice = 'replace it with the published file, or delete it so that it is downloaded again';
  const failing = async (change: Partial<TransformersLibrary>): Promise<string> => {
    const { library } = wordLibrary();
    const { runner } = runnerOf({ transformers: { ...library, ...change } });
    return runner.ready().then(String, ({ message }: Error) => message);
  };
  const loading = (from_pretrained: () => Promise<unknown>) =>
    failing({ AutoModel: { from_pretrained } as TransformersLibrary['AutoModel'] });

  beforeAll(() => writeWordModel(folder));

  it('names the file, the expectation and the remedy', async () => {
    const onnx = join(files(), 'onnx', 'model_quantized.onnx');
    expect(await loading(() => Promise.reject(new Error('no graph')))).toBe(
      `${onnx}: expected an ONNX model, received no graph; ${advice}`,
    );
    const stuck = Object.assign(() => Promise.reject(new Error('no such operator')), {
      dispose: async () => undefined,
    });
    expect(await loading(async () => stuck)).toBe(
      `${onnx}: expected a model that runs, received no such operator; ${advice}`,
    );
    const { Tensor } = wordLibrary().library;
    const spoilt = Object.assign(
      async ({ input_ids }: { input_ids: { dims: number[] } }) => ({
        last_hidden_state: new Tensor(
          'float32' as 'int64',
          new Float32Array(input_ids.dims[1] * 2).fill(Number.NaN) as never,
          [1, 3, 2],
        ),
      }),
      { dispose: async () => undefined },
    );
    expect(await loading(async () => spoilt)).toBe(
      `${onnx}: expected finite numbers, received NaN or infinity; ${advice}`,
    );
    class NoTokenizer {
      constructor() {
        throw new Error('no vocabulary');
      }
    }
    expect(await failing({ PreTrainedTokenizer: NoTokenizer as never })).toBe(
      `${join(files(), 'tokenizer.json')}: expected a tokenizer, received no vocabulary; ${advice}`,
    );
  });

  it('accepts a tokenizer with at most as many entries as the model', async () => {
    const config = { hidden_size: 2, vocab_size: 2 };
    await writeFile(join(files(), 'config.json'), JSON.stringify(config));
    const vocab = { a: 0, b: 1 };
    await writeFile(join(files(), 'tokenizer.json'), JSON.stringify({ model: { vocab } }));
    expect(await failing({})).toBe('undefined');
    const larger = { model: { vocab: { ...vocab, c: 2 } } };
    await writeFile(join(files(), 'tokenizer.json'), JSON.stringify(larger));
    expect(await failing({})).toBe(
      `${join(files(), 'tokenizer.json')}: expected the model's tokenizer, of at most 2 entries, ` +
        'received 3 entries; replace it with the tokenizer.json that was published with the model',
    );
    await rm(join(files(), 'config.json'));
    expect(await failing({})).toBe(
      `${join(files(), 'config.json')}: expected a file of the model, received no file; ` +
        'put the file there, or set localModelPath to a folder that contains own/model',
    );
  });
});
