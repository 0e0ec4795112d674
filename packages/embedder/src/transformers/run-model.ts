import { normalize } from '../normalize.ts';
import type {
  TransformersLibrary,
  TransformersModel,
  TransformersTensor,
} from './transformers-library.ts';

/** What a run needs. */
export interface RunnableModel {
  readonly library: TransformersLibrary;
  readonly model: TransformersModel;
}

/**
 * Runs the model on token ids and takes the mean over the tokens of each row.
 *
 * Every tensor that goes in or comes out is freed, also when the run fails.
 *
 * @param rows - token ids a row, special tokens included, at least one; shorter rows are padded and
 *   the padding is masked.
 * @returns a vector of length 1 a row.
 */
export async function runModel(
  { library, model }: RunnableModel,
  rows: readonly (readonly number[])[],
): Promise<Float32Array[]> {
  const width = rows.reduce((longest, row) => Math.max(longest, row.length), 0);
  const shape = [rows.length, width];
  const ids = new BigInt64Array(rows.length * width);
  const mask = new BigInt64Array(rows.length * width);
  rows.forEach((row, r) => {
    for (let i = 0; i < row.length; i++) ids[r * width + i] = BigInt(row[i] as number);
    mask.fill(1n, r * width, r * width + row.length);
  });
  const inputs: Record<string, TransformersTensor> = {
    input_ids: new library.Tensor('int64', ids, shape),
    attention_mask: new library.Tensor('int64', mask, shape),
    token_type_ids: new library.Tensor('int64', new BigInt64Array(ids.length), shape),
  };
  const tensors = Object.values(inputs);
  try {
    const outputs = await model(inputs);
    tensors.push(...Object.values(outputs));
    const hidden = outputs.last_hidden_state ?? outputs.token_embeddings;
    if (hidden === undefined) {
      throw new Error(`no last_hidden_state among ${Object.keys(outputs).join(', ')}`);
    }
    const states = hidden.type === 'float32' ? hidden : hidden.to('float32');
    if (states !== hidden) tensors.push(states);
    const data = states.data as Float32Array;
    const dimensions = data.length / (rows.length * width);
    return rows.map((row, r) => meanVector(data, r * width * dimensions, row.length, dimensions));
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}

function meanVector(
  states: Float32Array,
  offset: number,
  tokens: number,
  dimensions: number,
): Float32Array {
  const vector = new Float32Array(dimensions);
  let from = offset;
  for (let token = 0; token < tokens; token++) {
    for (let d = 0; d < dimensions; d++) {
      vector[d] = (vector[d] as number) + (states[from++] as number);
    }
  }
  normalize(vector);
  return vector;
}
