import { ImportError } from '../errors.ts';

/** A library that reading this input takes is not there, or does not load. */
export class MissingLibraryError extends ImportError {
  override readonly name = 'MissingLibraryError';

  constructor(what: string, library: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    const remedy = `install it, for instance with: npm install ${library}`;
    super('MISSING_LIBRARY', what, `the library ${library}`, `${reason}; ${remedy}`, { cause });
  }
}

/**
 * Imports an optional peer.
 *
 * @param what - what takes it: `zstd data`.
 * @param load - a dynamic import with the name as a literal, inside a `try`: by that bundlers see what is
 * wanted, and that it need not be there.
 * @throws {@link MissingLibraryError}
 */
export async function loadLibrary<Library>(
  what: string,
  name: string,
  load: () => Promise<Library>,
): Promise<Library> {
  try {
    return await load();
  } catch (cause) {
    throw new MissingLibraryError(what, name, cause);
  }
}
