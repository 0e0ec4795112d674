import { describe, expect, it } from 'bun:test';
import type { JsonObject } from '../json/json-value.ts';
import { finalError } from './final-error.ts';

/** Finds the final error of events that are errors (E), answers (A) or neither (other letters). */
function find(letters: string): JsonObject | undefined {
  const events = [...letters].map((type, place) => ({ type, place }));
  return finalError(
    events,
    ({ type }) => type === 'E',
    ({ type, place }, error) => type === 'A' && place !== error.place,
  );
}

describe('the final error', () => {
  it.each(['', 'A', 'x', 'EA', 'xExAx', 'EEA', 'EAEA'])('of %p is none', (letters) => {
    expect(find(letters)).toBeUndefined();
  });

  it.each([
    ['E', 0],
    ['AE', 1],
    ['EAEx', 2],
    ['AEEx', 2],
  ])('of %p is event %p', (letters, place) => {
    expect(find(letters)).toEqual({ type: 'E', place });
  });
});
