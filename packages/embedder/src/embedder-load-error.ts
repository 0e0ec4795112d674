/** What kept an embedder from loading. */
export type EmbedderLoadErrorCode =
  | 'DEPENDENCY_MISSING'
  | 'DEPENDENCY_BROKEN'
  | 'FILE_MISSING'
  | 'FILE_DAMAGED'
  | 'FILE_HASH_MISMATCH'
  | 'DOWNLOAD_FAILED'
  | 'DIMENSION_MISMATCH'
  | 'DEVICE_UNSUPPORTED'
  | 'WORKER_FAILED';

/** The parts of an {@link EmbedderLoadError}. */
export interface EmbedderLoadErrorDetails {
  readonly code: EmbedderLoadErrorCode;
  /** The package or file at fault. */
  readonly subject: string;
  readonly expected: string;
  readonly received: string;
  /** What the reader can do about it. */
  readonly remedy: string;
  readonly cause?: unknown;
}

/** An embedder could not be loaded. The message names the file or package and the remedy. */
export class EmbedderLoadError extends Error {
  readonly code: EmbedderLoadErrorCode;
  readonly subject: string;
  readonly expected: string;
  readonly received: string;
  readonly remedy: string;
  /** When loading is next tried, in milliseconds of the embedder's clock. Until then `embed` rejects at once. */
  retryAt: number | undefined;

  constructor(details: EmbedderLoadErrorDetails) {
    super(
      `${details.subject}: expected ${details.expected}, received ${details.received}. ${details.remedy}`,
      { cause: details.cause },
    );
    this.name = 'EmbedderLoadError';
    this.code = details.code;
    this.subject = details.subject;
    this.expected = details.expected;
    this.received = details.received;
    this.remedy = details.remedy;
    this.retryAt = undefined;
  }
}
