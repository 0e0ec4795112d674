let consumed: unknown;

/** Takes a result, so that a compiler may not leave out the work that led to it. */
export function consume(value: unknown): void {
  consumed = value;
}

/** The last value consumed: read once at the end, it keeps the writes alive. */
export function lastConsumed(): unknown {
  return consumed;
}
