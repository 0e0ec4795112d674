import { EmbedderLoadError, type EmbedderLoadErrorCode } from '../embedder-load-error.ts';
import { batchesAgree } from './batches-agree.ts';
import { type ModelFiles, type ModelSource, modelFiles } from './model-files.ts';
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

interface ModelConfig {
  readonly hidden_size?: number;
  readonly vocab_size?: number;
  readonly max_position_embeddings?: number;
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
  const model = await orLoadError('FILE_DAMAGED', files.locate(modelFile), 'an ONNX model', () =>
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
      agreement ??= batchesAgree(loaded);
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

async function loadTokenizer(
  library: TransformersLibrary,
  files: ModelFiles,
  config: ModelConfig,
): Promise<TransformersTokenizer> {
  const [tokenizerJson, tokenizerConfig] = await Promise.all([
    readJson<{ model?: { vocab?: unknown } }>(files, 'tokenizer.json'),
    readJson<object>(files, 'tokenizer_config.json'),
  ]);
  const path = files.locate('tokenizer.json');
  const tokenizer = await orLoadError('FILE_DAMAGED', path, 'a tokenizer', async () => {
    const built = new library.PreTrainedTokenizer(tokenizerJson, tokenizerConfig);
    built.encode('a');
    return built;
  });
  const entries = Object.keys(tokenizerJson.model?.vocab ?? {}).length;
  if (config.vocab_size !== undefined && entries > config.vocab_size) {
    throw new EmbedderLoadError({
      code: 'FILE_DAMAGED',
      subject: path,
      expected: `the model's tokenizer, of at most ${config.vocab_size} entries`,
      received: `${entries} entries`,
      remedy: 'Replace it by the tokenizer.json that was published with the model.',
    });
  }
  return tokenizer;
}

async function tryOut(loaded: LoadedModel, path: string): Promise<void> {
  const ids = loaded.tokenizer.encode('a');
  const [vector] = await orLoadError('FILE_DAMAGED', path, 'a model that runs', () =>
    runModel(loaded, [ids]),
  );
  checkDimensions(path, loaded.dimensions, vector?.length);
  if (!vector?.every(Number.isFinite)) {
    throw damagedError('FILE_DAMAGED', path, 'finite numbers', 'NaN or infinity', undefined);
  }
}

async function readJson<T extends object>(files: ModelFiles, file: string): Promise<T> {
  const bytes = await files.read(file);
  return orLoadError('FILE_DAMAGED', files.locate(file), 'JSON', async () => {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value !== 'object' || value === null) throw new TypeError(`${typeof value}`);
    return value as T;
  });
}

function checkDimensions(path: string, expected: number, received: number | undefined): void {
  if (received === undefined || received === expected) return;
  throw new EmbedderLoadError({
    code: 'DIMENSION_MISMATCH',
    subject: path,
    expected: `${expected} dimensions`,
    received: `${received}`,
    remedy: `Set dimensions: ${received}, or use a model of ${expected} dimensions.`,
  });
}

async function orLoadError<T>(
  code: EmbedderLoadErrorCode,
  path: string,
  expected: string,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof EmbedderLoadError) throw cause;
    const received = cause instanceof Error ? cause.message : String(cause);
    if (received.startsWith('Unsupported device')) throw deviceError(received, cause);
    throw damagedError(code, path, expected, received, cause);
  }
}

function deviceError(received: string, cause: unknown): EmbedderLoadError {
  return new EmbedderLoadError({
    code: 'DEVICE_UNSUPPORTED',
    subject: 'device',
    expected: 'a device that the library has here',
    received,
    remedy: 'Name one of those, or leave device out.',
    cause,
  });
}

function damagedError(
  code: EmbedderLoadErrorCode,
  subject: string,
  expected: string,
  received: string,
  cause: unknown,
): EmbedderLoadError {
  const remedy = 'Replace the file, or delete it so that it is downloaded again.';
  return new EmbedderLoadError({ code, subject, expected, received, remedy, cause });
}
