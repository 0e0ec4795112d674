import { EmbedderLoadError } from '../embedder-load-error.ts';

/** The part of `@huggingface/transformers` that the embedder uses. */
export interface TransformersLibrary {
  readonly AutoModel: {
    from_pretrained(path: string, options: Record<string, unknown>): Promise<TransformersModel>;
  };
  readonly PreTrainedTokenizer: new (tokenizer: object, config: object) => TransformersTokenizer;
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: number[]) => TransformersTensor;
  readonly env: {
    readonly remoteHost: string;
    readonly remotePathTemplate: string;
    readonly cacheDir: string | null;
    readonly cacheKey: string;
    allowLocalModels: boolean;
  };
}

/** A loaded model: called with tensors by input name, answers tensors by output name. */
export interface TransformersModel {
  (inputs: Record<string, TransformersTensor>): Promise<Record<string, TransformersTensor>>;
  dispose(): Promise<unknown>;
}

/** A loaded tokenizer. */
export interface TransformersTokenizer {
  encode(text: string, options?: { add_special_tokens?: boolean }): number[];
  readonly model_max_length: number;
}

/** A tensor of the library. */
export interface TransformersTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
  readonly type: string;
  dispose(): void;
  to(type: 'float32'): TransformersTensor;
}

/** Whether `@huggingface/transformers` can be imported from here. Looks it up without loading it. */
export function isTransformersInstalled(): boolean {
  if (typeof import.meta.resolve !== 'function') return false;
  try {
    return import.meta.resolve('@huggingface/transformers') !== '';
  } catch {
    return false;
  }
}

/**
 * Imports the optional peer.
 *
 * @throws EmbedderLoadError `dependency_missing` or `dependency_broken`.
 */
export async function importTransformers(): Promise<TransformersLibrary> {
  try {
    return (await import('@huggingface/transformers')) as unknown as TransformersLibrary;
  } catch (cause) {
    throw isTransformersInstalled() ? brokenError(cause) : missingError(cause);
  }
}

function missingError(cause: unknown): EmbedderLoadError {
  return new EmbedderLoadError({
    code: 'dependency_missing',
    subject: '@huggingface/transformers',
    expected: 'the optional peer dependency to be installed',
    received: 'no such package',
    remedy:
      'Install it (bun add @huggingface/transformers), or use the lexical or static embedder.',
    cause,
  });
}

function brokenError(cause: unknown): EmbedderLoadError {
  return new EmbedderLoadError({
    code: 'dependency_broken',
    subject: '@huggingface/transformers',
    expected: 'a package that can be imported',
    received: cause instanceof Error ? cause.message : String(cause),
    remedy: 'Reinstall it; its onnxruntime-node must match this platform.',
    cause,
  });
}
