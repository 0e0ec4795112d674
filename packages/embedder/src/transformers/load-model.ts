import { batchesAgree } from './batches-agree.ts';
import { checkDimensions, damagedError, orDamaged } from './load-errors.ts';
import { loadTokenizer, type ModelConfig, readJson } from './load-tokenizer.ts';
import { type ModelSource, modelFiles } from './model-files.ts';
import { runModel } from './run-model.ts';
import type { ModelDtype } from './transformers-embedder-options.ts';
import type {
  TransformersLibrary,
  TransformersModel,
  TransformersTokenizer,
} from './transformers-library.ts';

/** What is loaded, and how. */
export interface ModelPlan {
  readonly source: ModelSource;
  readonly dtype: ModelDtype;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly device: string | undefined;
  readonly sessionOptions: Readonly<Record<string, unknown>>;
}

/** A model that was loaded, and tried on one text. */
export interface LoadedModel {
  readonly library: TransformersLibrary;
  readonly model: TransformersModel;
  readonly tokenizer: TransformersTokenizer;
  readonly dimensions: number;
  /** Most tokens in one row, the special ones included. */
  readonly window: number;
  /** Whether a text's vector comes out the same in a batch as alone, within 1e-5. Tried once. */
  batchesAgree(): Promise<boolean>;
}

/** What follows `onnx/model` in the name of the file of each number format. */
export const FILE_SUFFIX: Readonly<Record<ModelDtype, string>> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};

/**
 * Loads tokenizer and model, and runs them once.
 *
 * @throws EmbedderLoadError naming the file at fault.
 */
export async function loadModel(
  library: TransformersLibrary,
  plan: ModelPlan,
): Promise<LoadedModel> {
  const files = modelFiles(library, plan.source);
  const modelFile = `onnx/model${FILE_SUFFIX[plan.dtype]}.onnx`;
  const config: ModelConfig = await readJson(files, 'config.json');
  checkDimensions(files.locate('config.json'), plan.dimensions, config.hidden_size);
  const tokenizer = await loadTokenizer(library, files, config);
  await files.ensure(modelFile);
  const model = await orDamaged(files.locate(modelFile), 'an ONNX model', () =>
    library.AutoModel.from_pretrained(files.path, {
      ...files.options,
      config,
      dtype: plan.dtype,
      device: plan.device ?? null,
      session_options: { ...plan.sessionOptions },
    }),
  );
  const window = Math.min(
    plan.maxTokens,
    tokenizer.model_max_length,
    config.max_position_embeddings ?? Number.POSITIVE_INFINITY,
  );
  let agreement: Promise<boolean> | undefined;
  const loaded: LoadedModel = {
    library,
    model,
    tokenizer,
    dimensions: plan.dimensions,
    window,
    batchesAgree: () => {
      agreement ??= batchesAgree(loaded).catch((error: unknown) => {
        agreement = undefined;
        throw error;
      });
      return agreement;
    },
  };
  try {
    await tryOut(loaded, files.locate(modelFile));
  } catch (error) {
    await model.dispose();
    throw error;
  }
  return loaded;
}

async function tryOut(loaded: LoadedModel, path: string): Promise<void> {
  const ids = loaded.tokenizer.encode('a');
  const [vector] = await orDamaged(path, 'a model that runs', () => runModel(loaded, [ids]));
  checkDimensions(path, loaded.dimensions, vector?.length);
  if (!vector?.every(Number.isFinite)) {
    throw damagedError(path, 'finite numbers', 'NaN or infinity', undefined);
  }
}
