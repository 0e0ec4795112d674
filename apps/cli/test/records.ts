/** The fields of a record of `kp score --json` that tests read. */
// biome-ignore lint/suspicious/noExplicitAny: tests check the fields themselves
export type OutputRecord = any;

/** The records that a command printed with `--json`. */
export function recordsIn(output: string): OutputRecord[] {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/** The scored runs among them. */
export function scoredIn(output: string): OutputRecord[] {
  return recordsIn(output).filter(({ kind }) => kind === 'scored');
}
