import type { EmbeddingCacheOptions } from '../cache/embedding-cache.ts';
import type { RetryOptions } from '../retrying-load.ts';
import type { StaticPooling } from './static-model.ts';
import type { TokenizersLibrary } from './tokenizers-library.ts';

/** The files of a model2vec model, read by the caller. */
export interface StaticModelFiles {
  /** `model.safetensors`. */
  readonly model: Uint8Array;
  /** `tokenizer.json`, as bytes, as text or parsed. */
  readonly tokenizer: Uint8Array | string | object;
}

/** Options of `createStaticEmbedder`. */
export interface StaticEmbedderOptions {
  /**
   * Folder with `model.safetensors` and `tokenizer.json`; in a browser, the address of one. One of
   * `path` and `files` is needed.
   */
  readonly path?: string;
  readonly files?: StaticModelFiles;
  /** Name in the `id`. Default: the last part of `path`; with `files`, a fingerprint of the model. */
  readonly name?: string;
  /**
   * Length of the vectors. Default: read from the header of the model when the embedder is created,
   * which needs the file to be there; where `path` is an address it must be given.
   */
  readonly dimensions?: number;
  /** Most tokens of a text that are read. Default: all. */
  readonly maxTokens?: number;
  /**
   * `mean`, the default, gives the vectors of model2vec. `start` lets what a text begins with outweigh
   * what follows, and tells long texts of one kind, such as traces, apart much better.
   */
  readonly pooling?: StaticPooling;
  /** SHA-256 that the files must have, in hexadecimal. */
  readonly sha256?: { readonly 'model.safetensors'?: string; readonly 'tokenizer.json'?: string };
  /** Bounds of the memory of texts embedded lately, which are not embedded again; false for none. */
  readonly cache?: EmbeddingCacheOptions | false;
  /** Waits between failed loads. */
  readonly retry?: RetryOptions;
  /** The library, or a function that gives it, when it cannot be found by its name (a bundle, a test). */
  readonly tokenizers?: TokenizersLibrary | (() => Promise<TokenizersLibrary>);
}
