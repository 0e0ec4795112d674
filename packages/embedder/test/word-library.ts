import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  TransformersLibrary,
  TransformersTensor,
} from '../src/transformers/transformers-library.ts';

/** The options of the model that {@link wordLibrary} runs. */
export const WORD_MODEL = { model: 'own/model', dimensions: 2 } as const;

/** Writes the files of the model; its window is of 8 tokens. */
export async function writeWordModel(folder: string): Promise<void> {
  const files = join(folder, WORD_MODEL.model);
  await mkdir(join(files, 'onnx'), { recursive: true });
  await writeFile(join(files, 'config.json'), '{"hidden_size":2,"max_position_embeddings":8}');
  await writeFile(join(files, 'tokenizer.json'), '{}');
  await writeFile(join(files, 'tokenizer_config.json'), '{}');
  await writeFile(join(files, 'onnx', 'model_quantized.onnx'), '');
}

/** The recorded calls of a library. */
interface Asked {
  /** Number of rows of each run. */
  readonly runs: number[];
  disposed: number;
  options: Record<string, unknown>;
  /** Each run waits for this promise. */
  gate: Promise<unknown>;
}

/**
 * A library whose tokens are the words of a text. A word of one letter gives (1, 0), a word of two
 * gives (0, 1), any other (0, 0). It records the number of rows of each run.
 */
export function wordLibrary(): { state: Asked; library: TransformersLibrary } {
  const state: Asked = { runs: [], disposed: 0, options: {}, gate: Promise.resolve() };
  class Tensor implements TransformersTensor {
    readonly data: unknown;
    readonly dims: readonly number[];
    readonly type: string;
    constructor(type: string, data: unknown, dims: readonly number[]) {
      this.type = type;
      this.data = data;
      this.dims = dims;
    }
    dispose(): void {
      // This stub has nothing to free.
    }
    to(): TransformersTensor {
      return this;
    }
  }
  class PreTrainedTokenizer {
    readonly model_max_length = 512;
    encode(text: string, { add_special_tokens = true } = {}): number[] {
      const ids = text
        .split(' ')
        .filter(Boolean)
        .map(({ length }) => length);
      return add_special_tokens ? [101, ...ids, 102] : ids;
    }
  }
  const run = async ({ input_ids }: Record<string, TransformersTensor>) => {
    const ids = input_ids?.data as BigInt64Array;
    state.runs.push(input_ids?.dims[0]);
    await state.gate;
    const data = Float32Array.from(
      [...ids].flatMap((id) => [id === 1n ? 1 : 0, id === 2n ? 1 : 0]),
    );
    return { last_hidden_state: new Tensor('float32', data, [...(input_ids?.dims ?? []), 2]) };
  };
  const model = Object.assign(run, { dispose: async () => void state.disposed++ });
  const library = {
    AutoModel: {
      from_pretrained: async (_: string, options: Record<string, unknown>) => {
        state.options = options;
        return model;
      },
    },
    PreTrainedTokenizer,
    Tensor,
    env: { cacheDir: null },
  } as unknown as TransformersLibrary;
  return { state, library };
}
