import { damagedError, EmbedderLoadError, messageOf } from '../errors.ts';

/** What to do about a damaged file that came from a hub. */
export const REPLACE_OR_DELETE = 'Replace the file, or delete it so that it is downloaded again.';

/**
 * Does something with a file of the model.
 *
 * @throws EmbedderLoadError when that fails: what was wrong with the file, unless it says so itself.
 */
export async function orDamaged<T>(
  path: string,
  expected: string,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof EmbedderLoadError) throw cause;
    const received = messageOf(cause);
    if (received.startsWith('Unsupported device')) throw deviceError(received, cause);
    throw damagedError(REPLACE_OR_DELETE, path, expected, received, cause);
  }
}

function deviceError(received: string, cause: unknown): EmbedderLoadError {
  return new EmbedderLoadError({
    code: 'DEVICE_UNSUPPORTED',
    subject: 'device',
    expected: 'a device that the library has here',
    received,
    remedy: 'Name one of those, or leave device out.',
    cause,
  });
}

/** @throws EmbedderLoadError when both numbers are known and differ. */
export function checkDimensions(
  path: string,
  expected: number,
  received: number | undefined,
): void {
  if (received === undefined || received === expected) return;
  throw new EmbedderLoadError({
    code: 'DIMENSION_MISMATCH',
    subject: path,
    expected: `${expected} dimensions`,
    received: `${received}`,
    remedy: `Set dimensions: ${received}, or use a model of ${expected} dimensions.`,
  });
}
