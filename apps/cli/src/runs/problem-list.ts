import type { Terminal } from '../output/terminal.ts';
import { count, grouped } from '../output/text.ts';
import { type RefusedRun, refusalText } from './run.ts';

/** Collects the problems of one input and reports at most a few of them. */
export interface ProblemList {
  /** Whether a file is this input or part of it. */
  covers(file: string): boolean;
  /** @param isForeign - whether the value is unrelated data rather than a damaged recording. */
  add(refused: Omit<RefusedRun, 'kind'>, isForeign: boolean): void;
  runFound(): void;
  /** Reports the remaining problems. */
  end(): void;
}

/** Receives reported problems. */
export interface ProblemListener {
  problem(message: string, amount?: number): void;
  refused(run: RefusedRun): void;
  /** Called for a folder entry without any recording. */
  foreign(file: string): void;
}

const SHOWN = 5;

/**
 * Inputs with runs report their first few problems immediately; inputs without runs report only the
 * first one, at the end.
 *
 * @param isFound - whether the input was found in a folder, so it may not be a recording.
 */
export function createProblemList(
  name: string,
  isFound: boolean,
  listener: ProblemListener,
): ProblemList {
  const held: RefusedRun[] = [];
  // A CSV table with other data, such as labels, is not valid JSON either.
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

/** Reports the runs whose traces are not valid. */
export interface InvalidList {
  add(refused: Omit<RefusedRun, 'kind'>): void;
  /** Says how many more there were since the last call. */
  tellRest(): void;
}

/** @param showsAll - whether to report all of them, instead of the first few of each file. */
export function createInvalidList(
  { problem }: Pick<Terminal, 'problem'>,
  showsAll: boolean,
): InvalidList {
  const amounts = new Map<string, number>();
  const hidden = new Map<string, number>();
  return {
    add(refused) {
      const { file } = refused;
      const amount = (amounts.get(file) ?? 0) + 1;
      amounts.set(file, amount);
      if (showsAll || amount <= SHOWN) problem(refusalText(refused));
      else {
        problem(undefined);
        hidden.set(file, (hidden.get(file) ?? 0) + 1);
      }
    },
    tellRest() {
      for (const [file, more] of hidden) {
        problem(`${file}: and ${count(more, 'more invalid trace')}`, 0);
      }
      hidden.clear();
    },
  };
}
