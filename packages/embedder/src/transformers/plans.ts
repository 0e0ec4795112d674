import { ALL_MINILM_L6_V2_SHA256 } from '../file-pins.ts';
import type { EmbedPlan } from './embed-texts.ts';
import { FILE_SUFFIX, type ModelPlan } from './load-model.ts';
import type { TransformersEmbedderOptions } from './transformers-embedder-options.ts';

const DEFAULT_MODEL = 'Xenova/all-MiniLM-L6-v2';

/** Everything the vectors depend on. */
export function embedderId({ source, dtype, maxTokens }: ModelPlan, plan: EmbedPlan): string {
  const limit = Number.isFinite(maxTokens) ? `-${maxTokens}` : '';
  const chunks = plan.longText === 'chunk' ? `/chunk-${plan.maxChunks}` : '';
  return `transformers/${source.model}@${source.revision}/${dtype}/mean${limit}${chunks}`;
}

/**
 * The options that shape an embedding, checked.
 *
 * @throws RangeError naming the option.
 */
export function embedPlan(options: TransformersEmbedderOptions): EmbedPlan {
  const { longText = 'truncate', maxChunks = 64, batchSize = 32 } = options;
  if (longText !== 'truncate' && longText !== 'chunk') {
    throw new RangeError(`longText: expected truncate or chunk, received ${longText}`);
  }
  assertCount('maxChunks', maxChunks);
  assertCount('batchSize', batchSize);
  return { longText, maxChunks, batchSize };
}

function assertCount(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 1) return;
  throw new RangeError(`${name}: expected an integer of at least 1, received ${value}`);
}

/**
 * The options that shape a model, checked.
 *
 * @throws RangeError naming the option.
 */
export function modelPlan(options: TransformersEmbedderOptions, signal: AbortSignal): ModelPlan {
  const { model = DEFAULT_MODEL, revision = 'main', dimensions = 384 } = options;
  const { dtype = 'q8' } = options;
  if (!Object.hasOwn(FILE_SUFFIX, dtype)) {
    const known = Object.keys(FILE_SUFFIX).join(', ');
    throw new RangeError(`dtype: expected one of ${known}, received ${String(dtype)}`);
  }
  assertCount('dimensions', dimensions);
  if (options.maxTokens !== undefined) assertCount('maxTokens', options.maxTokens);
  const known = model === DEFAULT_MODEL && revision === 'main' ? ALL_MINILM_L6_V2_SHA256 : {};
  return {
    source: {
      model,
      revision,
      localModelPath: options.localModelPath,
      cacheDir: options.cacheDir,
      allowRemote: options.allowRemote ?? true,
      pins: options.sha256 ?? {},
      downloadPins: options.sha256 ?? known,
      onProgress: options.onProgress,
      signal,
    },
    dtype,
    dimensions,
    maxTokens: options.maxTokens ?? Number.POSITIVE_INFINITY,
    device: options.device,
    sessionOptions: {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      ...options.sessionOptions,
    },
  };
}
