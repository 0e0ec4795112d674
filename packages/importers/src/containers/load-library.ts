import { ImportError } from '../errors/errors.ts';

/** A library that reading this input takes is not there, or does not load. */
export class MissingLibraryError extends ImportError {
  constructor(subject: string, library: string, cause: unknown) {
    const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1);
    const isAbsent = /cannot find (?:package|module)/i.test(reason);
    const received = isAbsent ? 'none that is installed' : reason;
    super({
      name: 'MissingLibraryError',
      code: 'MISSING_LIBRARY',
      subject,
      expected: `the library ${library}`,
      // Where an error becomes one of the problems of an import, this is all that is told of it.
      received: `${received}; install it, for instance with: npm install ${library}`,
      cause,
    });
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
