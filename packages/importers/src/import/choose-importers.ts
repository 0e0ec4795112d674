import { messageOf } from '@kp/foundation';
import { describeProblem, type ImportProblem, RecordingError } from '../errors/errors.ts';
import { BUILT_IN_IMPORTERS } from '../formats/index.ts';
import { KP_FORMAT } from '../formats/kp/kp.ts';
import { checkImporter } from '../importer/define-importer.ts';
import type { Importer } from '../importer/importer.ts';

/** The formats of an import. */
export interface ImporterChoice {
  /** The caller's, tried first. */
  readonly own: readonly Importer[];
  /** All that values are compared with. */
  readonly all: readonly Importer[];
  /**
   * Those that say what is a piece of a run: what another format takes for one is not to be read as
   * a whole run of the format that was named.
   */
  readonly groupers: readonly Importer[];
  /** What went wrong in the caller's importers since it was last asked. */
  takeProblems(line: number): ImportProblem[];
}

/**
 * Puts the caller's importers before the built-in ones, and makes of what they throw a problem that
 * costs nothing but what they would have read.
 *
 * @param format - the one to be read, or `auto`; of one name the caller's goes before a built-in.
 * @throws TypeError when one is not an importer, RangeError when the format is not known.
 */
export function chooseImporters(
  given: readonly Importer[] = [],
  format: string = 'auto',
): ImporterChoice {
  const builtIn = new Set<Importer>(BUILT_IN_IMPORTERS);
  const failures: Failure[] = [];
  const guarded = given
    .filter((importer) => !builtIn.has(importer))
    .map((importer) => guard(importer, failures));
  const known = [...guarded, ...BUILT_IN_IMPORTERS];
  const named = known.filter(({ name }) => format === 'auto' || name === format);
  if (named.length === 0) {
    const names = known.map(({ name }) => name).join(', ');
    throw new RangeError(`format: expected auto or one of ${names}, received ${format}`);
  }
  const own = named.filter((importer) => guarded.includes(importer));
  const all = format !== 'auto' && own.length > 0 ? own : named;
  return {
    own,
    all,
    // Of our own format everything that is named so is read.
    groupers: format === KP_FORMAT ? all : [...new Set([...all, ...known])],
    takeProblems(line) {
      return failures.splice(0).map(({ name, what, error }) => {
        const received = messageOf(error);
        const expected = `the importer ${name} to ${what} without an error`;
        return describeProblem('IMPORTER_FAILED', { line }, expected, received);
      });
    },
  };
}

interface Failure {
  readonly name: string;
  readonly what: string;
  readonly error: unknown;
}

function guard(importer: Importer, failures: Failure[]): Importer {
  checkImporter(importer);
  const { name } = importer;
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
    family: importer.family,
    taskOf: (segments) => safely('name a task', () => importer.taskOf?.(segments)),
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
