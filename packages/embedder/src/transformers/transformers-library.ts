import { importOptional } from '@kp/foundation';

/** The part of `@huggingface/transformers` that the embedder uses. */
export interface TransformersLibrary {
  /** Loads a model. */
  readonly AutoModel: {
    from_pretrained(path: string, options: Record<string, unknown>): Promise<TransformersModel>;
  };
  /** Creates a tokenizer from the contents of its files. */
  readonly PreTrainedTokenizer: new (
    tokenizer: object,
    config: object,
  ) => TransformersTokenizer;
  /** Creates a tensor. */
  readonly Tensor: new (
    type: 'int64',
    data: BigInt64Array,
    shape: number[],
  ) => TransformersTensor;
  /** Settings of the library, such as where it searches for and stores models. */
  readonly env: {
    readonly remoteHost: string;
    readonly remotePathTemplate: string;
    readonly cacheDir: string | null;
    readonly cacheKey: string;
    allowLocalModels: boolean;
    /** Downloads use this function, so that they respect a proxy or a token that is set there. */
    readonly fetch?: typeof globalThis.fetch;
  };
}

/** A loaded model. Takes tensors by input name and returns tensors by output name. */
export interface TransformersModel {
  /** @param inputs - the ids, the attention mask and any other inputs of the model. */
  (inputs: Record<string, TransformersTensor>): Promise<Record<string, TransformersTensor>>;
  /** Frees the model's memory. */
  dispose(): Promise<unknown>;
}

/** A loaded tokenizer. */
export interface TransformersTokenizer {
  /**
   * The ids of a text's tokens.
   *
   * @param text - of any length.
   */
  encode(text: string, options?: { add_special_tokens?: boolean }): number[];
  /** Number of tokens that its model reads. */
  readonly model_max_length: number;
}

/** A tensor of the library. */
export interface TransformersTensor {
  /** Its numbers, row by row. */
  readonly data: unknown;
  /** Its shape. */
  readonly dims: readonly number[];
  /** The type of its numbers, such as `float32`. */
  readonly type: string;
  /** Frees the tensor's memory. */
  dispose(): void;
  /**
   * A copy with numbers of another type.
   *
   * @param type - such as `float32`.
   */
  to(type: 'float32'): TransformersTensor;
}

/**
 * Imports the optional dependency.
 *
 * @throws DependencyError `DEPENDENCY_MISSING` or `DEPENDENCY_BROKEN`.
 */
export async function importTransformers(): Promise<TransformersLibrary> {
  const library: unknown = await importOptional({
    packages: '@huggingface/transformers',
    neededFor: 'the transformers embedder',
    // Bundlers accept an import that cannot be resolved only inside `try`.
    load: async () => {
      try {
        return await import('@huggingface/transformers');
      } catch (error) {
        return Promise.reject(error);
      }
    },
    alternative: 'use the lexical or the static embedder',
  });
  return library as TransformersLibrary;
}
