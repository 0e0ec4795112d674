import { InvalidValueError } from './errors.ts';

/**
 * A reader of `now` that never goes backwards: an earlier reading than the last one answers the
 * last one again, so that entries stay sorted by age whatever the system clock does.
 *
 * @returns a function that answers milliseconds.
 * @throws {@link InvalidValueError} from the returned function, when `now` answers no finite number.
 */
export function createMonotonicClock(now: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    const reading = now();
    if (!Number.isFinite(reading)) throw new InvalidValueError('now()', 'a finite number', reading);
    if (reading > latest) latest = reading;
    return latest;
  };
}
