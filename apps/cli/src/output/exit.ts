/** The exit status of every command. */
export const EXIT = {
  done: 0,
  /** The answer is no: a gate failed, a verification differs, there is nothing to choose from. */
  no: 1,
  /** The command was used wrongly, or a file that it names is missing. */
  wrongUse: 2,
  /** Something in the inputs could not be read or scored; everything else was. */
  problems: 3,
  /** Results could not be written: a full disk, a folder without permission. */
  unwritten: 4,
  /** A mistake in kp. */
  internal: 5,
  /** Ended by Ctrl-C or SIGTERM: 128 and the number of SIGINT, as in shells. */
  interrupted: 130,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** For the help of kp itself; the help of each command has the details. */
export const EXIT_SUMMARY: string =
  'Exit status: 0 done, 1 the answer is no (a gate failed, a trace is invalid), 2 wrong use, ' +
  '3 problems in the input, 4 output not written, 5 internal error, 130 interrupted.';

const MEANINGS: readonly (readonly [status: ExitStatus, meaning: string])[] = [
  [EXIT.done, 'done'],
  [EXIT.no, ''],
  [EXIT.wrongUse, 'wrong use: an unknown option, a file that does not exist'],
  [EXIT.problems, 'parts of the input could not be read; the rest was used'],
  [EXIT.unwritten, 'the output could not be written'],
  [EXIT.internal, 'an internal error'],
  [EXIT.interrupted, 'interrupted'],
];

/**
 * What each exit status means, for help.
 *
 * @param no - when a command exits with 1; undefined: it never does.
 * @param wrap - breaks a meaning into lines.
 */
export function exitLines(no: string | undefined, wrap: (text: string) => string): string[] {
  return MEANINGS.flatMap(([status, meaning]) => {
    const text = status === EXIT.no ? no : meaning;
    if (text === undefined) return [];
    return [`  ${String(status).padEnd(5)}${wrap(text).replaceAll('\n', `\n${' '.repeat(7)}`)}`];
  });
}

/** What a command found. */
export interface Findings {
  /** The answer is no: see {@link EXIT.no}. */
  readonly no: boolean;
  /** An argument names nothing that can be read. */
  readonly missing: boolean;
  /** How many things in the inputs could not be read or scored. */
  readonly problems: number;
  readonly interrupted: boolean;
}

/** The status to end with: of several findings, the one that the caller has to act on first. */
export function exitStatus({ no, missing, problems, interrupted }: Findings): ExitStatus {
  if (interrupted) return EXIT.interrupted;
  if (missing) return EXIT.wrongUse;
  if (no) return EXIT.no;
  return problems > 0 ? EXIT.problems : EXIT.done;
}

/** The status of several pieces of work together. */
export function worstStatus(statuses: readonly ExitStatus[]): ExitStatus {
  const order = [EXIT.interrupted, EXIT.wrongUse, EXIT.no, EXIT.problems];
  return order.find((status) => statuses.includes(status)) ?? EXIT.done;
}
