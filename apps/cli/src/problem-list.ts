import { grouped } from './text.ts';

/** What is wrong in one input: a line or a few, never thousands. */
export interface ProblemList {
  /** Whether a file is this input, or in it. */
  covers(file: string): boolean;
  /** @param isForeign - the value is no recording at all, and no damaged one. */
  add(message: string, isForeign: boolean): void;
  runFound(): void;
  /** Reports what is left to say. `foreign`: nothing in it looks like a recording. */
  end(): 'foreign' | undefined;
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
  report: (message: string, amount?: number) => void,
): ProblemList {
  const held: string[] = [];
  let hasRuns = false;
  // A table of something else, such as labels, is not read as JSON either.
  const isTable = /\.csv$/i.test(name);
  let isForeign = true;
  let hasEnded = false;
  let amount = 0;
  return {
    covers: (file) => file === name || file.startsWith(`${name}/`),
    add(message, foreign) {
      amount++;
      isForeign &&= foreign || isTable;
      if (amount > SHOWN) return;
      if (hasRuns) report(message);
      else held.push(message);
    },
    runFound() {
      if (!hasRuns) for (const message of held) report(message);
      hasRuns = true;
    },
    end() {
      if (hasEnded) return undefined;
      hasEnded = true;
      const more = amount - SHOWN;
      if (hasRuns) {
        if (more > 0) report(`${name}: and ${grouped(more)} more`, more);
        return undefined;
      }
      if (isFound && isForeign && amount > 0) return 'foreign';
      const [first = `${name}: expected at least one trace, received an input without any`] = held;
      report(amount > 1 ? `${first} (and ${grouped(amount - 1)} more in this input)` : first);
      return undefined;
    },
  };
}
