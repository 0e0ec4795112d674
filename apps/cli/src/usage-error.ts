/** Wrong use of the command: shown as one line, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'WRONG_USE';
}
