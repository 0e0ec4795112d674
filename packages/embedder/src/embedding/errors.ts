import { type ErrorDetails, KnowledgePulseError, messageOf } from '@kp/foundation';

/** Why an embedder could not be loaded. */
export type EmbedderLoadErrorCode =
  | 'FILE_MISSING'
  | 'FILE_DAMAGED'
  | 'FILE_HASH_MISMATCH'
  | 'DOWNLOAD_FAILED'
  | 'DIMENSION_MISMATCH'
  | 'DEVICE_UNSUPPORTED'
  | 'WORKER_FAILED';

/** The parts of an {@link EmbedderLoadError}. */
export type EmbedderLoadErrorDetails = Omit<ErrorDetails<EmbedderLoadErrorCode>, 'name'>;

/** An embedder could not be loaded. `subject` is the file, option or thread at fault. */
export class EmbedderLoadError extends KnowledgePulseError<EmbedderLoadErrorCode> {
  /**
   * When loading is next attempted, in milliseconds of the embedder's clock. Until then `embed`
   * rejects at once.
   */
  retryAt: number | undefined = undefined;

  constructor(details: EmbedderLoadErrorDetails) {
    super({ name: 'EmbedderLoadError', ...details });
  }
}

/** `embed` or `ready` was called after `close`, or had not finished by then. */
export class EmbedderClosedError extends KnowledgePulseError<'EMBEDDER_CLOSED'> {
  constructor(id: string) {
    super({
      name: 'EmbedderClosedError',
      code: 'EMBEDDER_CLOSED',
      subject: id,
      expected: 'an open embedder',
      received: 'a closed embedder',
      remedy: 'create a new embedder',
    });
  }
}

/** An embedder returned something else than the `Embedder` interface promises. */
export class EmbeddingError extends KnowledgePulseError<'EMBEDDING_INVALID'> {
  constructor(embedderId: string, expected: string, received: string) {
    const [name, code] = ['EmbeddingError', 'EMBEDDING_INVALID'] as const;
    super({ name, code, subject: `embedder ${embedderId}`, expected, received });
  }
}

/**
 * Runs an action that reads a file of a model.
 *
 * @throws EmbedderLoadError `FILE_DAMAGED` for whatever the action throws, unless that is an
 *   `EmbedderLoadError` itself.
 */
export async function orDamaged<T>(
  path: string,
  expected: string,
  action: () => T | Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof EmbedderLoadError) throw cause;
    throw damagedError(path, expected, messageOf(cause), cause);
  }
}

/** The error for a file of a model with the wrong content. */
export function damagedError(
  path: string,
  expected: string,
  received: string,
  cause?: unknown,
): EmbedderLoadError {
  const remedy = 'replace it with the published file, or delete it so that it is downloaded again';
  return new EmbedderLoadError({
    code: 'FILE_DAMAGED',
    subject: path,
    expected,
    received,
    remedy,
    cause,
  });
}

/** @throws EmbedderLoadError `DIMENSION_MISMATCH`, unless the model's dimensions are unknown. */
export function checkDimensions(path: string, expected: number, received?: number): void {
  if (received === undefined || received === expected) return;
  throw new EmbedderLoadError({
    code: 'DIMENSION_MISMATCH',
    subject: path,
    expected: `${expected} dimensions`,
    received: `${received}`,
    remedy: `set dimensions: ${received}, or use a model of ${expected} dimensions`,
  });
}
