import { RecordingError } from './errors.ts';

/** What a trace may have: the limit `maxSteps` of its validation, unless that is set otherwise. */
export const MOST_STEPS = 100_000;

/**
 * Refuses a run of more steps than a trace may have, before more is made of it.
 *
 * @throws {@link RecordingError}
 */
export function checkSteps(amount: number, run = 'run'): void {
  if (amount > MOST_STEPS) throw new RecordingError(run, `at most ${MOST_STEPS} steps`, amount);
}
