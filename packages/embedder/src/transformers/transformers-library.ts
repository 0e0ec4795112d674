import { importPeer } from '../loading.ts';

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
    /** Downloads go through it, so that a proxy or a token set there is heeded. */
    readonly fetch?: typeof globalThis.fetch;
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

/**
 * Imports the optional peer.
 *
 * @throws EmbedderLoadError `DEPENDENCY_MISSING` or `DEPENDENCY_BROKEN`.
 */
export async function importTransformers(): Promise<TransformersLibrary> {
  const library = await importPeer(
    '@huggingface/transformers',
    async () => {
      // A bundler resolves the literal; inside try it may be absent.
      try {
        return await import('@huggingface/transformers');
      } catch (error) {
        return Promise.reject(error);
      }
    },
    'the lexical or static embedder',
  );
  return library as TransformersLibrary;
}
