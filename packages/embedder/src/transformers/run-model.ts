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

/** Pooled vectors of one run, one after the other, each of length 1. */
export interface RunResult {
  /** `[texts × width]`. */
  readonly vectors: Float32Array;
  readonly width: number;
}

/**
 * Runs the model on token ids and takes the mean over the tokens of each text.
 *
 * Every tensor that goes in or comes out is freed, also when the run fails.
 *
 * @param rows - token ids a text, special tokens included; all rows of one length.
 */
export async function runModel(
  { library, model }: RunnableModel,
  rows: readonly (readonly number[])[],
): Promise<RunResult> {
  const length = rows[0]?.length ?? 0;
  const shape = [rows.length, length];
  const ids = new BigInt64Array(rows.length * length);
  let position = 0;
  for (const row of rows) for (const id of row) ids[position++] = BigInt(id);
  const inputs: Record<string, TransformersTensor> = {
    input_ids: new library.Tensor('int64', ids, shape),
    attention_mask: new library.Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
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
    return meanOfTokens(states.data as Float32Array, rows.length, length);
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}

function meanOfTokens(states: Float32Array, rows: number, tokens: number): RunResult {
  const width = states.length / (rows * tokens);
  const vectors = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const vector = vectors.subarray(row * width, (row + 1) * width);
    let from = row * tokens * width;
    for (let token = 0; token < tokens; token++) {
      for (let d = 0; d < width; d++) {
        vector[d] = (vector[d] as number) + (states[from++] as number);
      }
    }
    normalize(vector);
  }
  return { vectors, width };
}
