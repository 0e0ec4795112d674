import { kpImporter } from '../formats/kp/kp.ts';
import type { Importer } from '../importer/importer.ts';
import type { Classified, Classifier } from './classify-values.ts';
import { CHECKED_LINES, createInputFormats } from './input-formats.ts';
import type { Gathered, PieceGroups } from './piece-groups.ts';

/** Holds the runs of one input back until its format is certain; see {@link createInputGate}. */
export interface InputGate {
  /** Whether values pass at once, because the format is certain. */
  isOpen(): boolean;
  /** Adds further values and returns those that can be imported now. */
  add(all: Iterable<Gathered>): Classified[];
  /** Counts a piece that is held for further inputs. */
  hold(importer: Importer, line: number): void;
  /** Ends the input and returns the last values to import. */
  close(): Classified[];
}

/** What the inputs of an import share. */
interface SharedByInputs {
  readonly groups: PieceGroups;
  /** The caller's importers, whose recordings may be mixed with any format. */
  readonly own: readonly Importer[];
  readonly classify: Classifier;
}

/** Problems reported of a refused input, which may be a long text. */
const REFUSED_PROBLEMS = 20;

/**
 * Begins an input, a file or a file of an archive, and creates its gate.
 *
 * @param file - its name.
 * @param isChecked - whether it is refused if it has no single format.
 */
export function createInputGate(
  file: string | undefined,
  isChecked: boolean,
  { groups, own, classify }: SharedByInputs,
): InputGate {
  groups.beginInput();
  const formats = createInputFormats(own);
  /** Undefined once the format is certain. */
  let waiting: Classified[] | undefined = isChecked ? [] : undefined;
  let isRefused = false;

  function add(all: Iterable<Gathered>): Classified[] {
    const classified = [...classify(all, formats)];
    if (isRefused) return classified.filter(isProblem);
    if (waiting === undefined) return classified;
    // Until something is recognised, there are only problems to report.
    if (!formats.isRecognised) return classified;
    for (const each of classified) waiting.push(each);
    // A ReasoningTrace names its own format, so a stream of traces need not be held.
    const isOwnFormat = classified.some(({ importer }) => importer === kpImporter);
    return isOwnFormat || formats.lines >= CHECKED_LINES ? settle() : [];
  }

  /** Returns the held values, or the reason why none of them can be imported. */
  function settle(): Classified[] {
    const ready = waiting ?? [];
    waiting = undefined;
    // One reason suffices: it ended the input.
    const error = isChecked && !isRefused ? formats.settle() : undefined;
    if (error === undefined) return ready;
    isRefused = true;
    groups.dropInput();
    const refusal = { gathered: { file, line: error.line, error }, importer: error };
    return [...ready.filter(isProblem).slice(0, REFUSED_PROBLEMS), refusal];
  }

  return {
    isOpen: () => waiting === undefined,
    add,
    hold: (importer, line) => formats.note(importer, 1, line),
    close() {
      const rest = [...add(groups.endInput()), ...settle()];
      // Pieces that came after the refusal.
      if (isRefused) groups.dropInput();
      return rest;
    },
  };
}

function isProblem({ gathered }: Classified): boolean {
  return 'error' in gathered;
}
