import { codeOf, messageOf } from './describe.ts';
import { KnowledgePulseError } from './knowledge-pulse-error.ts';

/** Why an optional dependency could not be used. */
export type DependencyErrorCode = 'DEPENDENCY_MISSING' | 'DEPENDENCY_BROKEN';

/** An optional dependency that is not installed, or is installed and cannot be used. */
export class DependencyError extends KnowledgePulseError<DependencyErrorCode> {
  constructor(
    code: DependencyErrorCode,
    details: {
      readonly subject: string;
      readonly expected: string;
      readonly received: string;
      readonly remedy: string;
      readonly cause?: unknown;
    },
  ) {
    super({ name: 'DependencyError', code, ...details });
  }
}

/** How an optional dependency is imported, and the error message if that fails. */
export interface OptionalImport<Library> {
  /** The packages to install: `pg`, `@opentelemetry/api @opentelemetry/api-logs`. */
  readonly packages: string;
  /** What needs them: `the Postgres memory`. */
  readonly neededFor: string;
  /** A dynamic `import()` whose specifier is a literal, so that bundlers can follow it. */
  readonly load: () => Promise<Library>;
  /** What works without them, if anything: `set embedder to null`. */
  readonly alternative?: string;
}

/**
 * Imports an optional dependency.
 *
 * @throws {@link DependencyError} with the code `DEPENDENCY_MISSING` when a package is not installed,
 *   and `DEPENDENCY_BROKEN` when importing it fails for any other reason.
 */
export async function importOptional<Library>(options: OptionalImport<Library>): Promise<Library> {
  const { packages, neededFor, load, alternative } = options;
  try {
    return await load();
  } catch (cause) {
    const otherwise = alternative === undefined ? '' : `, or ${alternative}`;
    const received = messageOf(cause);
    if (isNotFound(cause, packages)) {
      throw new DependencyError('DEPENDENCY_MISSING', {
        subject: packages,
        expected: `the optional dependency of ${neededFor} to be installed`,
        received,
        remedy: `run npm install ${packages}${otherwise}`,
        cause,
      });
    }
    throw new DependencyError('DEPENDENCY_BROKEN', {
      subject: packages,
      expected: `a version that can be imported, for ${neededFor}`,
      received,
      remedy: `reinstall it; native code must match this platform${otherwise}`,
      cause,
    });
  }
}

// Node and Bun set the code; bundlers and browsers have only a message.
const NOT_FOUND_CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];
const NOT_FOUND_MESSAGE =
  /cannot find (?:package|module)|failed to resolve module|module not found/i;
// The first name in quotes is that of the module; that of the importer follows.
const NAME_IN_MESSAGE = /['"](?<name>[^'"]+)['"]/;

function isNotFound(cause: unknown, packages: string): boolean {
  const message = messageOf(cause);
  if (!NOT_FOUND_CODES.includes(codeOf(cause)) && !NOT_FOUND_MESSAGE.test(message)) return false;
  const name = NAME_IN_MESSAGE.exec(message)?.groups?.name;
  // A dependency of an installed package may be missing.
  const isOurs = (wanted: string): boolean => name === wanted || !!name?.startsWith(`${wanted}/`);
  return name === undefined || packages.split(' ').some(isOurs);
}
