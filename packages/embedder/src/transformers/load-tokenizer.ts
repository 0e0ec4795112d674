import { EmbedderLoadError } from '../embedder-load-error.ts';
import { orDamaged } from './load-errors.ts';
import type { ModelFiles } from './model-files.ts';
import type { TransformersLibrary, TransformersTokenizer } from './transformers-library.ts';

/** What is read of `config.json`. */
export interface ModelConfig {
  readonly hidden_size?: number;
  readonly vocab_size?: number;
  readonly max_position_embeddings?: number;
}

/**
 * Loads the tokenizer and checks that the model knows all of its tokens.
 *
 * @throws EmbedderLoadError naming the file at fault.
 */
export async function loadTokenizer(
  library: TransformersLibrary,
  files: ModelFiles,
  config: ModelConfig,
): Promise<TransformersTokenizer> {
  const [tokenizerJson, tokenizerConfig] = await Promise.all([
    readJson<{ model?: { vocab?: unknown } }>(files, 'tokenizer.json'),
    readJson<object>(files, 'tokenizer_config.json'),
  ]);
  const path = files.locate('tokenizer.json');
  const tokenizer = await orDamaged(path, 'a tokenizer', async () => {
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

/** The JSON object in a file of the model. */
export async function readJson<T extends object>(files: ModelFiles, file: string): Promise<T> {
  const bytes = await files.read(file);
  return orDamaged(files.locate(file), 'JSON', async () => {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value !== 'object' || value === null) throw new TypeError(`${typeof value}`);
    return value as T;
  });
}
