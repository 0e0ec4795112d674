import { describe, expect, it } from 'bun:test';
import { describeWith, modelsNeed } from '@kp/testing/needs';
import {
  cosine,
  expectPublishedCosines,
  MINILM_GRAPH,
  modelsFolder,
  SMALL_MODEL,
} from '../test/models.ts';
import { createTransformersEmbedder } from './create-transformers-embedder.ts';
import {
  importTransformers,
  type TransformersLibrary,
  type TransformersModel,
} from './transformers/transformers-library.ts';

/** The library with a counter for model runs. */
async function countingLibrary() {
  const original = await importTransformers();
  let runs = 0;
  const library: TransformersLibrary = {
    AutoModel: {
      from_pretrained: async (path, options) => {
        const model = await original.AutoModel.from_pretrained(path, options);
        const counted = (inputs: Parameters<TransformersModel>[0]) => {
          runs++;
          return model(inputs);
        };
        return Object.assign(counted, { dispose: () => model.dispose() });
      },
    },
    PreTrainedTokenizer: original.PreTrainedTokenizer,
    Tensor: original.Tensor,
    env: original.env,
  };
  return { library, runs: () => runs };
}

describeWith(modelsNeed, 'createTransformersEmbedder with a real model', () => {
  const embedder = createTransformersEmbedder(SMALL_MODEL);

  it('reproduces the published cosines of the model', async () => {
    await expectPublishedCosines(embedder);
  });

  it('returns the zero vector for empty texts and accepts lone surrogates', async () => {
    const [empty, blank, surrogate] = await embedder.embed(['', ' \n', 'a \ud800 b']);
    expect(empty?.vector.every((value) => value === 0)).toBe(true);
    expect(blank?.vector.every((value) => value === 0)).toBe(true);
    expect(surrogate?.vector.every(Number.isFinite)).toBe(true);
  });

  it('distinguishes texts that differ after the window by chunks, and truncate reports truncation', async () => {
    const start = 'The agent looked up the reservation and read the policy. '.repeat(60);
    const ends = ['It refunded the flight to Boston. ', 'A parser bug in the Rust compiler. '];
    const texts = ends.map((end) => start + end.repeat(16));
    const boundaries = texts.map(() => [start.length]);
    const cutting = createTransformersEmbedder({ ...SMALL_MODEL, maxTokens: 512 });
    const [a, b] = await cutting.embed(texts, { boundaries });
    expect(a).toMatchObject({ truncated: true, tokens: 512, chunks: 1 });
    expect(a?.vector).toEqual(b?.vector as Float32Array);

    const chunking = createTransformersEmbedder({
      ...SMALL_MODEL,
      maxTokens: 512,
      longText: 'chunk',
    });
    const [c, d] = await chunking.embed(texts, { boundaries });
    expect(c).toMatchObject({ truncated: false, chunks: 2 });
    expect(c?.tokens).toBeGreaterThan(600);
    expect(cosine(c?.vector as Float32Array, d?.vector as Float32Array)).toBeLessThan(0.95);
    expect(new Set([embedder.id, cutting.id, chunking.id]).size).toBe(3);
    await Promise.all([cutting.close(), chunking.close()]);
  });

  it('answers concurrent calls with their own vectors', async () => {
    const texts = Array.from(
      { length: 20 },
      (_, i) => `text number ${i} about ${'cats '.repeat(i)}`,
    );
    const alone = await embedder.embed(texts);
    const together = await Promise.all(texts.map((text) => embedder.embed([text])));
    for (const [i, [embedding]] of together.entries()) {
      expect(
        cosine(embedding?.vector as Float32Array, alone[i]?.vector as Float32Array),
      ).toBeCloseTo(1, 6);
    }
  });

  it('rejects wrong dimensions before loading the model', async () => {
    const wrong = createTransformersEmbedder({ ...SMALL_MODEL, dimensions: 384 });
    await expect(wrong.ready()).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
      subject: expect.stringContaining('config.json'),
      expected: '384 dimensions',
      received: '128',
    });
  });

  it('names the available devices if another is requested', async () => {
    const embedder = createTransformersEmbedder({ ...SMALL_MODEL, device: 'abacus' });
    await expect(embedder.ready()).rejects.toMatchObject({
      code: 'DEVICE_UNSUPPORTED',
      received: expect.stringMatching(/"abacus".*cpu/),
    });
  });

  it('runs many texts in few batches with the same vectors as single texts within 1e-5', async () => {
    const { library, runs } = await countingLibrary();
    const batching = createTransformersEmbedder({ ...SMALL_MODEL, transformers: library });
    const single = createTransformersEmbedder({ ...SMALL_MODEL, batchSize: 1 });
    await batching.ready();
    const texts = Array.from(
      { length: 100 },
      (_, i) => `text ${i} ${'cats and dogs '.repeat(i % 9)}`,
    );
    const before = runs();
    const batched = await batching.embed(texts);
    // At most ten lengths, and three runs to check that batches agree.
    expect(runs() - before).toBeLessThan(16);
    for (const [i, { vector }] of (await single.embed(texts)).entries()) {
      const differences = vector.map((x, d) => Math.abs(x - (batched[i]?.vector[d] ?? 9)));
      expect(Math.max(...differences)).toBeLessThan(1e-5);
    }
    await Promise.all([batching.close(), single.close()]);
  });

  it('closes although a run hangs, and its signal releases the caller', async () => {
    const { library } = await countingLibrary();
    const { AutoModel } = library;
    let runs = 0;
    const caller = new AbortController();
    const stuck = (): Promise<never> => {
      caller.abort(new Error('enough'));
      return new Promise(() => undefined);
    };
    const stuckLibrary: TransformersLibrary = {
      ...library,
      AutoModel: {
        from_pretrained: async (path, options) => {
          const model = await AutoModel.from_pretrained(path, options);
          // The first run is the test run after loading.
          const run: TransformersModel = Object.assign(
            (inputs: Parameters<TransformersModel>[0]) => (runs++ === 0 ? model(inputs) : stuck()),
            { dispose: () => model.dispose() },
          );
          return run;
        },
      },
    };
    const embedder = createTransformersEmbedder({ ...SMALL_MODEL, transformers: stuckLibrary });
    await embedder.ready();
    await expect(embedder.embed(['a'], { signal: caller.signal })).rejects.toThrow('enough');
    await embedder.close();
    expect(runs).toBe(2);
  }, 10_000);
});

describeWith(modelsNeed, 'createTransformersEmbedder with the graph of MiniLM', () => {
  const embedder = createTransformersEmbedder(MINILM_GRAPH);

  it('reports truncated from the 513th token on', async () => {
    // One token per word and two special tokens.
    const [fits, cut] = await embedder.embed([
      Array(510).fill('word').join(' '),
      Array(511).fill('word').join(' '),
    ]);
    expect(fits?.truncated).toBe(false);
    expect(cut?.truncated).toBe(true);
  });

  it('agrees with the pipeline of the library for short and truncated texts', async () => {
    const { pipeline } = await import('@huggingface/transformers');
    const extract = await pipeline(
      'feature-extraction',
      `${modelsFolder}/bench-only/Xenova/all-MiniLM-L6-v2`,
      { dtype: 'q8', local_files_only: true },
    );
    for (const text of ['A man is eating food.', 'dense, long; text! '.repeat(800)]) {
      const expected = await extract(text, { pooling: 'mean', normalize: true });
      const [embedding] = await embedder.embed([text]);
      expect(cosine(embedding?.vector as Float32Array, expected.data as Float32Array)).toBeCloseTo(
        1,
        5,
      );
    }
    await extract.dispose();
  });
});

describe('createTransformersEmbedder without a model', () => {
  it('names the missing file and the remedy, and retries when due', async () => {
    let time = 0;
    const embedder = createTransformersEmbedder({
      localModelPath: '/nowhere',
      retry: { initialDelayMs: 50, now: () => time },
    });
    const failure = await embedder.embed(['a']).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'FILE_MISSING', retryAt: 50 });
    expect(String(failure)).toContain('/nowhere/Xenova/all-MiniLM-L6-v2/config.json');
    expect(String(failure)).toContain('localModelPath');
    expect(await embedder.ready().catch((error: unknown) => error)).toBe(failure);
    time = 50;
    expect(await embedder.ready().catch((error: unknown) => error)).not.toBe(failure);
  });

  it('rejects and names invalid options', () => {
    const create = createTransformersEmbedder;
    expect(() => create({ dimensions: 0 })).toThrow(
      'dimensions: expected an integer of at least 1',
    );
    expect(() => create({ dtype: 'q9' as 'q8' })).toThrow('dtype: expected one of fp32, fp16, q8');
    expect(() => create({ longText: 'cut' as 'chunk' })).toThrow(
      'longText: expected truncate or chunk, received "cut"',
    );
    const transformers = () => Promise.reject(new Error('not called'));
    expect(() => create({ worker: true, transformers })).toThrow(
      'transformers: expected none with worker, whose thread imports its own, received a function',
    );
  });
});
