/** What a run tells the shell. */
export const EXIT = {
  fine: 0,
  /** Some trace is invalid or under the threshold, or some input could not be read to its end. */
  findings: 1,
  /** The command was used wrongly, or a file that it names is not there. */
  wrongUse: 2,
  /** Ended by Ctrl-C: 128 and the number of the signal, as shells have it. */
  interrupted: 130,
} as const;
