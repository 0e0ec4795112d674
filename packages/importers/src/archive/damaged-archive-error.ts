/** A compressed input that ends early or is damaged; what came before it has been delivered. */
export class DamagedArchiveError extends Error {
  override readonly name = 'DamagedArchiveError';
  readonly code = 'DAMAGED_ARCHIVE';

  readonly expected: string;
  readonly received: string;

  constructor(expected: string, received: string, cause?: unknown) {
    super(`input: expected ${expected}, received ${received}`, { cause });
    this.expected = expected;
    this.received = received;
  }
}
