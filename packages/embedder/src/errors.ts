/** What an error of this package says. */
export interface EmbedderErrorDetails<Code extends string> {
  /** To match by, across packages and copies of them. */
  readonly code: Code;
  /** What is at fault: a package, a file, an option, a rule. */
  readonly subject: string;
  /** What was expected of the subject. */
  readonly expected: string;
  /** What was there instead. */
  readonly received: string;
  /** What the reader can do about it. */
  readonly remedy?: string;
  /** What was thrown below, if anything. */
  readonly cause?: unknown;
}

/** Every error of this package but those of wrong arguments, which are a `TypeError` or `RangeError`. */
export class EmbedderError<Code extends string = string> extends Error {
  /** To match by, across packages and copies of them. */
  readonly code: Code;
  /** What is at fault: a package, a file, an option, a rule. */
  readonly subject: string;
  /** What was expected of the subject. */
  readonly expected: string;
  /** What was there instead. */
  readonly received: string;
  /** What the reader can do about it. */
  readonly remedy: string | undefined;

  constructor(details: EmbedderErrorDetails<Code>) {
    const { code, subject, expected, received, remedy, cause } = details;
    super(sentence(subject, expected, received, remedy), { cause });
    this.name = 'EmbedderError';
    this.code = code;
    this.subject = subject;
    this.expected = expected;
    this.received = received;
    this.remedy = remedy;
  }
}

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
export type EmbedderLoadErrorDetails = EmbedderErrorDetails<EmbedderLoadErrorCode>;

/** An embedder could not be loaded. The message names the file or package and the remedy. */
export class EmbedderLoadError extends EmbedderError<EmbedderLoadErrorCode> {
  /** When loading is next tried, in milliseconds of the embedder's clock. Until then `embed` rejects at once. */
  retryAt: number | undefined = undefined;

  constructor(details: EmbedderLoadErrorDetails) {
    super(details);
    this.name = 'EmbedderLoadError';
  }
}

/** `embed` or `ready` was called on an embedder after `close`, or was under way then. */
export class EmbedderClosedError extends EmbedderError<'EMBEDDER_CLOSED'> {
  constructor(id: string) {
    super({
      code: 'EMBEDDER_CLOSED',
      subject: id,
      expected: 'an open embedder',
      received: 'a closed one',
      remedy: 'Create a new embedder.',
    });
    this.name = 'EmbedderClosedError';
  }
}

/** An argument or option of the wrong type, as a `TypeError` with the fields of the others. */
export function invalidType(subject: string, expected: string, value: unknown): TypeError {
  const received = describe(value);
  const error = new TypeError(sentence(subject, expected, received, undefined));
  return Object.assign(error, { code: 'INVALID_TYPE', subject, expected, received });
}

/** An argument or option out of its range, as a `RangeError` with the fields of the others. */
export function invalidValue(subject: string, expected: string, value: unknown): RangeError {
  const received = String(value);
  const error = new RangeError(sentence(subject, expected, received, undefined));
  return Object.assign(error, { code: 'INVALID_VALUE', subject, expected, received });
}

/** A file of a model is not what it should be; `remedy` says how to come by the right one. */
export function damagedError(
  remedy: string,
  subject: string,
  expected: string,
  received: string,
  cause?: unknown,
): EmbedderLoadError {
  return new EmbedderLoadError({
    code: 'FILE_DAMAGED',
    subject,
    expected,
    received,
    remedy,
    cause,
  });
}

const MOST_CHARACTERS = 1000;

/** What went wrong, from whatever was thrown; cut short where it quotes a whole file. */
export function messageOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS)}…` : message;
}

function sentence(
  subject: string,
  expected: string,
  received: string,
  remedy: string | undefined,
): string {
  const found = `${subject}: expected ${expected}, received ${received}`;
  return remedy === undefined ? found : `${found}. ${remedy}`;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value;
}
