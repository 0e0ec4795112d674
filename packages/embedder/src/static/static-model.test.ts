import { describe, expect, it } from 'bun:test';
import { safetensorsFile } from '../../test/safetensors-file.ts';
import { headerLength, readHeader } from './safetensors.ts';
import { type StaticModel, staticModel } from './static-model.ts';

const table = (name: string, shape: number[], values: readonly number[]) => ({
  [name]: { dtype: 'F32', shape, data: Float32Array.from(values) },
});
const embeddings = table('embeddings', [3, 2], [1, 0, 0, 1, 3, 4]);

function modelOf(tensors: Parameters<typeof safetensorsFile>[0]): StaticModel {
  const file = safetensorsFile(tensors);
  const header = file.subarray(8, 8 + headerLength(file, file.length));
  return staticModel(file, readHeader(header, file.length));
}

describe('staticModel', () => {
  it('computes each mean piece by piece and independently', () => {
    const { startMean } = modelOf(embeddings);
    const [one, other] = [startMean('mean'), startMean('mean')];
    expect(one.vector()).toEqual(new Float32Array(2));
    one.add([0, 0, 0]);
    other.add([1]);
    one.add([1, 1, 1, 1]);
    expect(one.vector()).toEqual(Float32Array.of(0.6, 0.8));
    expect(other.vector()).toEqual(Float32Array.of(0, 1));
  });

  it('weights a token by 1/(1 + position/30) with start, across pieces', () => {
    const { startMean } = modelOf(embeddings);
    const mean = startMean('start');
    mean.add([0]);
    mean.add([1]);
    // The weights of the two tokens are 1 and 30/31.
    const [x = 0, y = 0] = mean.vector();
    expect(y / x).toBeCloseTo(30 / 31, 6);
  });

  it('weights each token if weights exist', () => {
    const { startMean, tokens } = modelOf({ ...embeddings, ...table('weights', [3], [3, 4, 1]) });
    const mean = startMean('mean');
    mean.add([0, 1]);
    expect(tokens).toBe(3);
    expect(mean.vector()).toEqual(Float32Array.of(0.6, 0.8));
  });

  it.each([
    [{}, 'expected a tensor named embeddings, received none'],
    [
      { ...table('a', [1], [1]), ...table('b', [1], [1]) },
      'expected a tensor named embeddings, received a, b',
    ],
    [
      table('embeddings', [6], [1, 0, 0, 1, 3, 4]),
      'tensor embeddings: expected [tokens, dimensions], received [6]',
    ],
    [table('embeddings', [1, 1, 1], [1]), 'expected [tokens, dimensions], received [1,1,1]'],
    [table('embeddings', [3, 0], []), 'expected [tokens, dimensions], received [3,0]'],
    [
      { ...embeddings, ...table('mapping', [2], [0, 1]), ...table('weights', [3], [1, 1, 1]) },
      'tensor weights: expected 2 values, received 3',
    ],
    [
      { ...embeddings, ...table('weights', [2], [1, 1]) },
      'tensor mapping: expected rows below 3 for all 2 tokens',
    ],
    [
      { ...embeddings, ...table('mapping', [1], [3]) },
      'tensor mapping: expected rows below 3 for all 1 tokens',
    ],
    [{ ...embeddings, ...table('mapping', [1], [-1]) }, 'expected rows below 3'],
    [{ ...embeddings, ...table('mapping', [1], [Number.NaN]) }, 'expected rows below 3'],
  ])('rejects mismatched tensors: %#', (tensors, message) => {
    expect(() => modelOf(tensors)).toThrow(RangeError);
    expect(() => modelOf(tensors)).toThrow(message);
  });
});
