import type { Embedding } from '../embedder.ts';
import { EmbedderLoadError, type EmbedderLoadErrorDetails, messageOf } from '../errors.ts';
import type { DownloadProgress } from '../files/download.ts';
import type {
  DownloadNotice,
  TransformersEmbedderOptions,
} from '../transformers/transformers-options.ts';

/** Options that can be sent to another thread. */
export type SentOptions = Omit<
  TransformersEmbedderOptions,
  'worker' | 'cache' | 'onDownload' | 'onProgress' | 'transformers' | 'retry'
> & { readonly retry?: { readonly initialDelayMs?: number; readonly maxDelayMs?: number } };

/** What is sent to the worker. Every request with a number is answered under it. */
export type Request =
  | { readonly type: 'start'; readonly options: SentOptions }
  | { readonly type: 'ready'; readonly number: number }
  | {
      readonly type: 'embed';
      readonly number: number;
      readonly texts: readonly string[];
      readonly boundaries: readonly (readonly number[] | undefined)[] | undefined;
    }
  | { readonly type: 'cancel'; readonly cancelled: number }
  | { readonly type: 'close'; readonly number: number };

/** A request that is answered. */
export type Call = Extract<Request, { readonly number: number }>;

/** What the worker sends. */
export type Answer =
  | { readonly type: 'started' }
  | { readonly type: 'done'; readonly number: number; readonly embeddings: Embedding[] }
  | { readonly type: 'failed'; readonly number: number; readonly error: SentError }
  | { readonly type: 'download'; readonly notice: DownloadNotice }
  | { readonly type: 'progress'; readonly progress: DownloadProgress };

/** An error as it crosses threads, which would lose its class and fields. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly load?: Omit<EmbedderLoadErrorDetails, 'cause'> & {
    readonly retryAt: number | undefined;
  };
}

/** The options without those that only the thread that has them can use. */
export function sentOptions(options: TransformersEmbedderOptions): SentOptions {
  const { worker, cache, onDownload, onProgress, transformers, retry = {}, ...sent } = options;
  const { now, ...waits } = retry;
  return { ...sent, retry: waits };
}

/** An error in a form that can be sent. */
export function toSentError(error: unknown): SentError {
  const message = messageOf(error);
  if (!(error instanceof Error)) return { name: 'Error', message };
  const { name } = error;
  if (!(error instanceof EmbedderLoadError)) return { name, message };
  const { code, subject, expected, received, remedy, retryAt } = error;
  return { name, message, load: { code, subject, expected, received, remedy, retryAt } };
}

/** The error that was sent, of its class where that matters to callers. */
export function fromSentError({ name, message, load }: SentError): Error {
  if (load !== undefined) {
    const error = new EmbedderLoadError(load);
    error.retryAt = load.retryAt;
    return error;
  }
  const error = new Error(message);
  error.name = name;
  return error;
}
