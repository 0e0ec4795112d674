import {
  DependencyError,
  type DependencyErrorCode,
  KnowledgePulseError,
  messageOf,
} from '@kp/foundation';
import type { Embedding } from '../embedding/embedder.ts';
import { EmbedderLoadError, type EmbedderLoadErrorCode } from '../embedding/errors.ts';
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

/** A message to the worker. Every request with a number is answered under it. */
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

/** A message from the worker. */
export type Answer =
  | { readonly type: 'started' }
  | { readonly type: 'done'; readonly number: number; readonly embeddings: Embedding[] }
  | { readonly type: 'failed'; readonly number: number; readonly error: SentError }
  | { readonly type: 'download'; readonly notice: DownloadNotice }
  | { readonly type: 'progress'; readonly progress: DownloadProgress };

/** An error as plain data: cloning an error loses its class and its fields. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly details?: {
    readonly code: string;
    readonly subject: string;
    readonly expected: string;
    readonly received: string;
    readonly remedy: string | undefined;
  };
  readonly retryAt?: number;
}

/** The options without those that only the calling thread can use. */
export function sentOptions(options: TransformersEmbedderOptions): SentOptions {
  const { worker, cache, onDownload, onProgress, transformers, retry = {}, ...sent } = options;
  const { now, ...waits } = retry;
  return { ...sent, retry: waits };
}

export function toSentError(error: unknown): SentError {
  const message = messageOf(error);
  if (!(error instanceof Error)) return { name: 'Error', message };
  const { name } = error;
  if (!(error instanceof KnowledgePulseError)) return { name, message };
  const { code, subject, expected, received, remedy } = error;
  const retryAt = error instanceof EmbedderLoadError ? error.retryAt : undefined;
  return { name, message, details: { code, subject, expected, received, remedy }, retryAt };
}

/** The error that was sent, with the class that callers match. */
export function fromSentError({ name, message, details, retryAt }: SentError): Error {
  if (details !== undefined && name === 'EmbedderLoadError') {
    const error = new EmbedderLoadError({
      ...details,
      code: details.code as EmbedderLoadErrorCode,
    });
    error.retryAt = retryAt;
    return error;
  }
  if (details !== undefined && name === 'DependencyError') {
    const { code, remedy = '', ...rest } = details;
    return new DependencyError(code as DependencyErrorCode, { ...rest, remedy });
  }
  return Object.assign(new Error(message), { name });
}
