import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { batches, batchesAgree, type RunnableModel, runModel } from './run-model.ts';
import type { TransformersTensor, TransformersTokenizer } from './transformers-library.ts';

/** A library that counts its live tensors. */
function countingModel(answer: Float32Array | Error) {
  let alive = 0;
  class Tensor implements TransformersTensor {
    readonly type: string;
    readonly data: unknown;
    readonly dims: readonly number[];
    constructor(type: string, data: unknown, dims: readonly number[]) {
      this.type = type;
      this.data = data;
      this.dims = dims;
      alive++;
    }
    dispose(): void {
      alive--;
    }
    to(type: string): TransformersTensor {
      return new Tensor(type, Float32Array.from(this.data as Float32Array, Math.abs), this.dims);
    }
  }
  const run = async () => {
    if (answer instanceof Error) throw answer;
    return { last_hidden_state: new Tensor('float16', answer, [1, 2, 2]) };
  };
  const model = Object.assign(run, { dispose: async () => undefined });
  const library = { Tensor } as unknown as RunnableModel['library'];
  return { runnable: { library, model }, alive: () => alive };
}

describe('runModel', () => {
  it('averages the tokens and scales the mean to length 1: (0,3),(8,3) gives (4,3)/5', async () => {
    const { runnable, alive } = countingModel(Float32Array.of(0, 3, 8, 3));
    const [vector] = await runModel(runnable, [[101, 102]]);
    expect(vector).toEqual(Float32Array.of(0.8, 0.6));
    expect(alive()).toBe(0);
  });

  it('excludes padding from the mean: a row with one token reads only (3,4) of (3,4),(9,9)', async () => {
    const { runnable, alive } = countingModel(Float32Array.of(1, 0, 0, 1, 3, 4, 9, 9));
    const vectors = await runModel(runnable, [[101, 102], [101]]);
    expect(vectors).toEqual([
      Float32Array.of(Math.SQRT1_2, Math.SQRT1_2),
      Float32Array.of(0.6, 0.8),
    ]);
    expect(alive()).toBe(0);
  });

  it('passes the model the ids, an attention mask, and zeros as token types', async () => {
    const { runnable } = countingModel(new Float32Array(12));
    const given: Record<string, TransformersTensor> = {};
    const model = Object.assign(
      async (inputs: Record<string, TransformersTensor>) => {
        Object.assign(given, inputs);
        return runnable.model();
      },
      { dispose: async () => undefined },
    );
    await runModel({ ...runnable, model }, [[101, 7, 102], [101]]);
    const shown = Object.entries(given).map(([name, { data, type }]) => [
      name,
      type,
      Array.from(data as BigInt64Array, Number),
      Reflect.get(given[name] as object, 'dims'),
    ]);
    expect(shown).toEqual([
      ['input_ids', 'int64', [101, 7, 102, 101, 0, 0], [2, 3]],
      ['attention_mask', 'int64', [1, 1, 1, 1, 0, 0], [2, 3]],
      ['token_type_ids', 'int64', [0, 0, 0, 0, 0, 0], [2, 3]],
    ]);
  });

  it('accepts floats under either of two names and lists other outputs in the error', async () => {
    const { runnable } = countingModel(new Float32Array(0));
    const disposed: string[] = [];
    const outputOf = (name: string) => ({
      [name]: {
        type: 'float32',
        data: Float32Array.of(3, 4),
        dims: [1, 1, 2],
        dispose: () => void disposed.push(name),
        to: () => expect.unreachable(),
      },
    });
    for (const name of ['last_hidden_state', 'token_embeddings', 'logits']) {
      const model = Object.assign(async () => outputOf(name), { dispose: async () => undefined });
      const vectors = runModel({ ...runnable, model: model as never }, [[101]]);
      if (name !== 'logits') expect(await vectors).toEqual([Float32Array.of(0.6, 0.8)]);
      else await expect(vectors).rejects.toThrow('no last_hidden_state among logits');
    }
    expect(disposed).toEqual(['last_hidden_state', 'token_embeddings', 'logits']);
  });

  it('frees every tensor if the run fails', async () => {
    const { runnable, alive } = countingModel(new Error('out of memory'));
    await expect(runModel(runnable, [[1, 2]])).rejects.toThrow('out of memory');
    expect(alive()).toBe(0);
  });
});

const rowsArbitrary = fc
  .array(fc.integer({ min: 1, max: 512 }), { maxLength: 80 })
  .map((lengths) => lengths.map((length, text) => ({ ids: Array<number>(length).fill(7), text })));

describe('batches', () => {
  it('runs every row once for any lengths', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer({ min: 1, max: 40 }), (rows, most) => {
        const texts = batches(rows, most).flatMap((batch) => batch.map(({ text }) => text));
        expect(texts.toSorted((a, b) => a - b)).toEqual(rows.map(({ text }) => text));
      }),
    );
  });

  it('respects the limits of rows, a quarter of padding and 8,192 tokens', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer({ min: 1, max: 40 }), (rows, most) => {
        for (const batch of batches(rows, most)) {
          const lengths = batch.map(({ ids }) => ids.length);
          const area = Math.max(...lengths) * batch.length;
          expect(batch.length).toBeLessThanOrEqual(most);
          expect(area).toBeLessThanOrEqual(8_192);
          expect(lengths.reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(0.75 * area);
        }
      }),
    );
  });
});

describe('batchesAgree', () => {
  /** A model whose vectors deviate by this amount in a batch of two. */
  async function agrees(difference: number): Promise<boolean> {
    const { runnable } = countingModel(new Float32Array(0));
    const tokenizer: TransformersTokenizer = {
      model_max_length: 512,
      encode: (text) => Array.from({ length: text.length }, () => 7),
    };
    const model = Object.assign(
      async ({ input_ids }: Record<string, { dims: readonly number[] }>) => {
        const [rows = 0, width = 0] = input_ids?.dims ?? [];
        const angle = rows === 2 ? difference : 0;
        const data = Float32Array.from({ length: rows * width * 2 }, (_, at) =>
          // The first row agrees in any case.
          at < width * 2 ? (at + 1) % 2 : at % 2 === 0 ? Math.cos(angle) : Math.sin(angle),
        );
        const { Tensor } = runnable.library as unknown as {
          Tensor: new (type: string, data: unknown, dims: unknown) => TransformersTensor;
        };
        return { last_hidden_state: new Tensor('float32', data, [rows, width, 2]) };
      },
      { dispose: async () => undefined },
    );
    return batchesAgree({ ...runnable, model: model as never, tokenizer });
  }

  it.each([
    [0, true],
    [0.9e-5, true],
    [1.1e-5, false],
    [-1.1e-5, false],
    [1, false],
  ])('with vectors %d apart is %p', async (difference, expected) => {
    expect(await agrees(difference)).toBe(expected);
  });
});
