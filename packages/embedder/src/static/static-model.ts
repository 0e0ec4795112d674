import { unitVector } from '../embedding/embed-call.ts';
import { type TensorEntry, type TensorValues, tensorValues } from './safetensors.ts';

/** A table of vectors, one per token. */
export interface StaticModel {
  readonly dimensions: number;
  /** Number of tokens. */
  readonly tokens: number;
  /** Starts a mean of token vectors. */
  startMean(pooling: StaticPooling): TokenMean;
}

/** A running mean of token vectors. */
interface TokenMean {
  add(ids: ArrayLike<number>): void;
  /** The mean so far, scaled to length 1; zeros without tokens. */
  vector(): Float32Array;
}

/**
 * Weights of the tokens of a text. `mean`: all equal, as in model2vec. `start`: 1/(1 + position/30),
 * so that the beginning of a text outweighs the rest.
 */
export type StaticPooling = 'mean' | 'start';

/** With `start`, the token at this position has half the weight of the first. */
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
 * (token to row) and `weights` (a factor per token).
 *
 * @throws RangeError when the tensors do not match.
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
    startMean: (pooling) => {
      const sums = new Float64Array(dimensions);
      let position = 0;
      return {
        add: (ids) => {
          for (let i = 0; i < ids.length; i++, position++) {
            const id = ids[i];
            const row = mapping === undefined ? id : mapping[id];
            const divisor = pooling === 'start' ? 1 + position / HALF_POSITION : 1;
            const weight = (weights === undefined ? 1 : weights[id]) / divisor;
            const offset = row * dimensions;
            for (let d = 0; d < dimensions; d++) {
              sums[d] = sums[d] + weight * embeddings[offset + d];
            }
          }
        },
        vector: () => unitVector(sums),
      };
    },
  };
}

function optionalValues(
  file: Uint8Array,
  entry: TensorEntry | undefined,
): TensorValues | undefined {
  return entry === undefined ? undefined : tensorValues(file, entry);
}
