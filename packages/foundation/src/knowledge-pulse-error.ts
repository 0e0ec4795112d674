/** The parts of an error; its message is built from them. */
export interface ErrorDetails<
  Code extends string = string,
  Value extends string | number = string,
> {
  /** Name of the error class. */
  readonly name: string;
  /** Stable identifier of the situation, the same in every package. */
  readonly code: Code;
  /** What is at fault: a field, an option, a file, a package, a server. */
  readonly subject: string;
  /** What would have been valid. */
  readonly expected: Value;
  /** The actual value or state. */
  readonly received: Value;
  /** What to do about it, if `expected` does not already say so. */
  readonly remedy?: string;
  /** The error that led to this one. */
  readonly cause?: unknown;
}

/**
 * Base class of every error that a KnowledgePulse package throws.
 *
 * The message reads `<subject>: expected <expected>, received <received>; <remedy>`. Match `code`
 * rather than `instanceof` when several versions of a package may be installed.
 */
export class KnowledgePulseError<
  Code extends string = string,
  Value extends string | number = string,
> extends Error {
  /** Name of the error class. */
  override readonly name: string;
  /** Stable identifier of the situation, the same in every package. */
  readonly code: Code;
  /** What is at fault: a field, an option, a file, a package, a server. */
  readonly subject: string;
  /** What would have been valid. */
  readonly expected: Value;
  /** The actual value or state. */
  readonly received: Value;
  /** What to do about it, if `expected` does not already say so. */
  readonly remedy: string | undefined;

  /** @param message - replaces the message built from the details. */
  constructor(details: ErrorDetails<Code, Value>, message: string = formatMessage(details)) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = details.name;
    this.code = details.code;
    this.subject = details.subject;
    this.expected = details.expected;
    this.received = details.received;
    this.remedy = details.remedy;
    // The stack was captured before the name was set; bundlers rename classes, so without this a
    // stack trace shows `Error` or a name such as `ProfileError2`.
    const { captureStackTrace } = Error as StackCapture;
    captureStackTrace?.(this, new.target);
  }
}

/** V8 and JavaScriptCore have this function; Firefox before 138 does not. */
interface StackCapture {
  captureStackTrace?(error: object, above: object): void;
}

function formatMessage({
  subject,
  expected,
  received,
  remedy,
}: ErrorDetails<string, string | number>): string {
  const message = `${subject}: expected ${expected}, received ${received}`;
  return remedy === undefined ? message : `${message}; ${remedy}`;
}
