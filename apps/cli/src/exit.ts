/** What a run of the command tells the shell. */
export const EXIT = {
  fine: 0,
  /** A run is under `--threshold`, or a trace that was to be checked is not valid. */
  under: 1,
  /** Results could not be written: a full disk, a file that may not be made. */
  unwritten: 1,
  /** The command was used wrongly, or a file that it names is not there. */
  wrongUse: 2,
  /** Something in the inputs could not be read or scored; all else was. */
  problems: 3,
  /** Ended by Ctrl-C: 128 and the number of the signal, as shells have it. */
  interrupted: 130,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** For the help of every command that reads runs. */
export const EXIT_HELP: string =
  'Exit status: 0 fine, 1 a run under the threshold, 2 wrong use,\n' +
  '3 problems in the input that were worked around.';

/** What a command came to. */
export interface Findings {
  /** Some run is not good enough, or not valid. */
  readonly under: boolean;
  /** An argument names nothing that can be read. */
  readonly missing: boolean;
  /** How many things in the inputs could not be read or scored. */
  readonly problems: number;
  readonly interrupted: boolean;
}

/** The status to end with: of several findings, the one that a caller has to act on first. */
export function exitStatus({ under, missing, problems, interrupted }: Findings): ExitStatus {
  if (interrupted) return EXIT.interrupted;
  if (missing) return EXIT.wrongUse;
  if (under) return EXIT.under;
  return problems > 0 ? EXIT.problems : EXIT.fine;
}

/** The status of several pieces of work together. */
export function worstStatus(statuses: readonly ExitStatus[]): ExitStatus {
  const order = [EXIT.interrupted, EXIT.wrongUse, EXIT.under, EXIT.problems];
  return order.find((status) => statuses.includes(status)) ?? EXIT.fine;
}

/** Wrong use of the command: shown as one line, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'WRONG_USE';
}

/** Results that could not be written: shown as one line, exit status 1. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly code = 'NOT_WRITTEN';
}
