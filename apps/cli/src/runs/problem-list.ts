import { grouped } from '../output/text.ts';
import { type RefusedRun, refusalText } from './run.ts';

/** What is wrong in one input: a message or a few, never thousands. */
export interface ProblemList {
  /** Whether a file is this input, or in it. */
  covers(file: string): boolean;
  /** @param isForeign - the value is no recording at all, and no damaged one. */
  add(refused: Omit<RefusedRun, 'kind'>, isForeign: boolean): void;
  runFound(): void;
  /** Reports what is left to say. */
  end(): void;
}

/** Who is told what is wrong. */
export interface ProblemListener {
  problem(message: string, amount?: number): void;
  refused(run: RefusedRun): void;
  /** A file of a folder in which nothing looks like a recording. */
  foreign(file: string): void;
}

const SHOWN = 5;

/**
 * An input with runs reports the first few of its problems as they come; one without any reports
 * only the first, at its end.
 *
 * @param isFound - nobody named the input, so that it may be something other than a recording.
 */
export function createProblemList(
  name: string,
  isFound: boolean,
  listener: ProblemListener,
): ProblemList {
  const held: RefusedRun[] = [];
  // A table of something else, such as labels, is not read as JSON either.
  const isTable = /\.csv$/i.test(name);
  let hasRuns = false;
  let isForeign = true;
  let hasEnded = false;
  let amount = 0;
  const tell = (refused: RefusedRun, isShown: boolean): void => {
    listener.refused(refused);
    if (isShown) listener.problem(refusalText(refused));
  };
  return {
    covers: (file) => file === name || file.startsWith(`${name}/`),
    add(found, foreign) {
      amount++;
      isForeign &&= foreign || isTable;
      const refused = { kind: 'refused', ...found } as const;
      if (hasRuns) tell(refused, amount <= SHOWN);
      else held.push(refused);
    },
    runFound() {
      if (hasRuns) return;
      hasRuns = true;
      for (const [index, refused] of held.entries()) tell(refused, index < SHOWN);
      held.length = 0;
    },
    end() {
      if (hasEnded) return;
      hasEnded = true;
      const more = amount - SHOWN;
      if (hasRuns) {
        if (more > 0) listener.problem(`${name}: and ${grouped(more)} more`, more);
      } else if (isFound && isForeign && amount > 0) listener.foreign(name);
      else {
        const nothing = 'expected at least one trace, received an input without any';
        const [first] = held;
        for (const refused of held) listener.refused(refused);
        const message = first === undefined ? `${name}: ${nothing}` : refusalText(first);
        const others = amount > 1 ? ` (and ${grouped(amount - 1)} more in this input)` : '';
        listener.problem(message + others);
      }
    },
  };
}
