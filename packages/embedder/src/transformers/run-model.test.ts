import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { batches, type RunnableModel, runModel } from './run-model.ts';
import type { TransformersTensor } from './transformers-library.ts';

/** A library whose tensors count how many of them are alive. */
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
    to(): TransformersTensor {
      return new Tensor('float32', this.data, this.dims);
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
  it('takes the mean over the tokens and scales it to length 1: (0,3),(8,3) gives (4,3)/5', async () => {
    const { runnable, alive } = countingModel(Float32Array.of(0, 3, 8, 3));
    const [vector] = await runModel(runnable, [[101, 102]]);
    expect(vector).toEqual(Float32Array.of(0.8, 0.6));
    expect(alive()).toBe(0);
  });

  it('leaves padding out of the mean: of (3,4),(9,9) a row of one token sees (3,4)', async () => {
    const { runnable, alive } = countingModel(Float32Array.of(1, 0, 0, 1, 3, 4, 9, 9));
    const vectors = await runModel(runnable, [[101, 102], [101]]);
    expect(vectors).toEqual([
      Float32Array.of(Math.SQRT1_2, Math.SQRT1_2),
      Float32Array.of(0.6, 0.8),
    ]);
    expect(alive()).toBe(0);
  });

  it('frees every tensor when the run fails', async () => {
    const { runnable, alive } = countingModel(new Error('out of memory'));
    await expect(runModel(runnable, [[1, 2]])).rejects.toThrow('out of memory');
    expect(alive()).toBe(0);
  });
});

const rowsArbitrary = fc
  .array(fc.integer({ min: 1, max: 512 }), { maxLength: 80 })
  .map((lengths) => lengths.map((length, text) => ({ ids: Array<number>(length).fill(7), text })));

describe('batches', () => {
  it('runs every row once, whatever the lengths', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer({ min: 1, max: 40 }), (rows, most) => {
        const texts = batches(rows, most).flatMap((batch) => batch.map(({ text }) => text));
        expect(texts.toSorted((a, b) => a - b)).toEqual(rows.map(({ text }) => text));
      }),
    );
  });

  it('keeps to the number of rows, to a quarter of padding and to 8,192 tokens', () => {
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

  it('puts rows of one length together: 10, 3, 10, 3 at most 2 a batch', () => {
    const rows = [10, 3, 10, 3].map((length, text) => ({
      ids: Array<number>(length).fill(7),
      text,
    }));
    expect(batches(rows, 2).map((batch) => batch.map(({ text }) => text))).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });
});
