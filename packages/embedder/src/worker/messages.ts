import type { Embedding } from '../embedder.ts';
import type { EmbedderLoadErrorDetails } from '../embedder-load-error.ts';
import type {
  DownloadProgress,
  TransformersEmbedderOptions,
} from '../transformers/transformers-embedder-options.ts';

/** Options that can be sent to another thread. */
export type SentOptions = Omit<
  TransformersEmbedderOptions,
  'worker' | 'cache' | 'onProgress' | 'transformers' | 'retry'
> & { readonly retry?: { readonly initialDelayMs?: number; readonly maxDelayMs?: number } };

/** What is sent to the worker. Every request but `cancel` is answered under its number. */
export type Request =
  | { readonly type: 'start'; readonly options: SentOptions }
  | { readonly type: 'ready'; readonly number: number }
  | {
      readonly type: 'embed';
      readonly number: number;
      readonly texts: readonly string[];
      readonly boundaries: readonly (readonly number[] | undefined)[] | undefined;
    }
  | { readonly type: 'cancel'; readonly number: number }
  | { readonly type: 'close'; readonly number: number };

/** What the worker sends. */
export type Answer =
  | { readonly type: 'done'; readonly number: number; readonly embeddings: Embedding[] }
  | { readonly type: 'failed'; readonly number: number; readonly error: SentError }
  | { readonly type: 'progress'; readonly progress: DownloadProgress };

/** An error as it crosses threads, which would lose its class and fields. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly load?: Omit<EmbedderLoadErrorDetails, 'cause'> & {
    readonly retryAt: number | undefined;
  };
}
