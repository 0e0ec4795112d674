import { BUILT_IN_IMPORTERS } from './built-in-importers.ts';
import { describeProblem, type ImportProblem, RecordingError } from './errors.ts';
import type { Importer } from './importer.ts';

/** The formats of an import: the caller's own, tried first, and the built-in ones. */
export interface ImporterChoice {
  readonly own: readonly Importer[];
  readonly all: readonly Importer[];
  /** What went wrong in the caller's own importers since it was last asked. */
  takeProblems(line: number): ImportProblem[];
}

/**
 * Puts the caller's importers before the built-in ones, and makes of what they throw a problem that
 * costs nothing but what they would have read.
 *
 * @throws TypeError when one is not an importer.
 */
export function chooseImporters(given: readonly Importer[] = []): ImporterChoice {
  const builtIn = new Set(BUILT_IN_IMPORTERS);
  const failures: { name: string; what: string; error: unknown }[] = [];
  const own = given
    .filter((importer) => !builtIn.has(importer))
    .map((importer) => guard(importer, failures));
  return {
    own,
    all: [...own, ...BUILT_IN_IMPORTERS],
    takeProblems(line) {
      return failures.splice(0).map(({ name, what, error }) => {
        const received = error instanceof Error ? error.message : String(error);
        const expected = `the importer ${name} to ${what} without an error`;
        return describeProblem('IMPORTER_FAILED', { line }, expected, received);
      });
    },
  };
}

function guard(
  importer: Importer,
  failures: { name: string; what: string; error: unknown }[],
): Importer {
  const { name } = importer;
  for (const method of ['detect', 'read'] as const) {
    if (typeof importer?.[method] === 'function') continue;
    const received = typeof importer?.[method];
    throw new TypeError(
      `importers: expected a function ${method} in ${name}, received ${received}`,
    );
  }
  let reported = false;
  const safely = <Value>(what: string, call: () => Value): Value | undefined => {
    try {
      return call();
    } catch (error) {
      // Of an importer that fails at every value, the first time says it.
      if (!reported) failures.push({ name, what, error });
      reported = true;
      return undefined;
    }
  };
  return {
    name,
    title: importer.title,
    detect: (value) => safely('look at a value', () => importer.detect(value)),
    // A whole value of its own is not to be taken for a piece of another format's run.
    pieceOf: (value) => safely('name a piece', () => importer.pieceOf?.(value)),
    splitPieces: (value) => safely('part a value', () => importer.splitPieces?.(value)),
    ...(importer.pieceScope === undefined ? {} : { pieceScope: importer.pieceScope }),
    *read(value) {
      try {
        yield* importer.read(value);
      } catch (error) {
        if (error instanceof RecordingError) throw error;
        failures.push({ name, what: 'read a value', error });
      }
    },
  };
}
