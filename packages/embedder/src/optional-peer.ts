import { EmbedderLoadError } from './embedder-load-error.ts';

/**
 * Where a package would be imported from; undefined where it is not installed, and in most bundles,
 * which have no packages any more. Loads nothing.
 *
 * The name is a parameter so that bundlers do not follow it.
 */
export function locatePackage(name: string): string | undefined {
  if (typeof import.meta.resolve !== 'function') return undefined;
  try {
    return import.meta.resolve(name);
  } catch {
    return undefined;
  }
}

/** Whether a package can be imported from here. */
export function isInstalled(name: string): boolean {
  return locatePackage(name) !== undefined;
}

/**
 * Imports an optional peer, or says what to do about it.
 *
 * @param load - a dynamic import with the name as a literal, which bundlers need.
 * @param alternative - what works without it.
 * @throws EmbedderLoadError `DEPENDENCY_MISSING` or `DEPENDENCY_BROKEN`.
 */
export async function importPeer(
  name: string,
  load: () => Promise<unknown>,
  alternative: string,
): Promise<unknown> {
  try {
    return await load();
  } catch (cause) {
    if (!isInstalled(name)) {
      throw new EmbedderLoadError({
        code: 'DEPENDENCY_MISSING',
        subject: name,
        expected: 'the optional peer dependency to be installed',
        received: cause instanceof Error ? cause.message : String(cause),
        remedy: `Install it (bun add ${name}), or use ${alternative}.`,
        cause,
      });
    }
    throw new EmbedderLoadError({
      code: 'DEPENDENCY_BROKEN',
      subject: name,
      expected: 'a package that can be imported',
      received: cause instanceof Error ? cause.message : String(cause),
      remedy: 'Reinstall it; what it has of native code must match this platform.',
      cause,
    });
  }
}
