import { normalize } from '../normalize.ts';
import type { TensorEntry } from './safetensors.ts';
import { type TensorValues, tensorValues } from './tensor-values.ts';

/** A table of vectors, one a token. */
export interface StaticModel {
  readonly dimensions: number;
  /** Tokens that have a vector. */
  readonly tokens: number;
  /** Mean of the tokens' vectors, scaled to length 1; zero when there are none. */
  meanVector(ids: ArrayLike<number>, pooling: StaticPooling): Float32Array;
}

/**
 * What the tokens of a text count. `mean`: all the same, as model2vec has it. `start`:
 * 1/(1 + position/30), so that what a text begins with outweighs what follows.
 */
export type StaticPooling = 'mean' | 'start';

/** With `start`, the token at this position counts half of the first. */
const HALF_POSITION = 30;

/** The tensor of vectors under either of its names. */
export function embeddingsEntry(entries: ReadonlyMap<string, TensorEntry>): TensorEntry {
  const entry = entries.get('embeddings') ?? entries.get('embedding.weight');
  if (entry === undefined) {
    const names = [...entries.keys()].join(', ') || 'none';
    throw new RangeError(`expected a tensor named embeddings, received ${names}`);
  }
  if (entry.shape.length !== 2 || !entry.shape.every((length) => length > 0)) {
    throw new RangeError(
      `tensor embeddings: expected [tokens, dimensions], received [${entry.shape}]`,
    );
  }
  return entry;
}

/**
 * The model in a safetensors file: `embeddings`, and for models with a quantised vocabulary `mapping`
 * (token to row) and `weights` (a factor a token).
 *
 * @throws RangeError when the tensors do not fit each other.
 */
export function staticModel(
  file: Uint8Array,
  entries: ReadonlyMap<string, TensorEntry>,
): StaticModel {
  const entry = embeddingsEntry(entries);
  const [rows, dimensions] = entry.shape as [number, number];
  const embeddings = tensorValues(file, entry);
  const mapping = optionalValues(file, entries.get('mapping'));
  const weights = optionalValues(file, entries.get('weights'));
  const tokens = mapping?.length ?? weights?.length ?? rows;
  if (weights !== undefined && weights.length !== tokens) {
    throw new RangeError(`tensor weights: expected ${tokens} values, received ${weights.length}`);
  }
  if (mapping === undefined ? tokens !== rows : mapping.some((row) => !(row >= 0 && row < rows))) {
    throw new RangeError(`tensor mapping: expected rows below ${rows} for all ${tokens} tokens`);
  }

  return {
    dimensions,
    tokens,
    meanVector: (ids, pooling) => {
      const sums = new Float64Array(dimensions);
      for (let i = 0; i < ids.length; i++) {
        const id = ids[i] as number;
        const row = mapping === undefined ? id : (mapping[id] as number);
        const position = pooling === 'start' ? i / HALF_POSITION : 0;
        const weight = (weights === undefined ? 1 : (weights[id] as number)) / (1 + position);
        const offset = row * dimensions;
        for (let d = 0; d < dimensions; d++) {
          sums[d] = (sums[d] as number) + weight * (embeddings[offset + d] as number);
        }
      }
      // Scaled first: a sum of many float16 values may be beyond float32 when squared.
      const largest = sums.reduce((most, sum) => Math.max(most, Math.abs(sum)), 0);
      const vector = new Float32Array(dimensions);
      if (largest > 0)
        for (let d = 0; d < dimensions; d++) vector[d] = (sums[d] as number) / largest;
      normalize(vector);
      return vector;
    },
  };
}

function optionalValues(
  file: Uint8Array,
  entry: TensorEntry | undefined,
): TensorValues | undefined {
  return entry === undefined ? undefined : tensorValues(file, entry);
}
