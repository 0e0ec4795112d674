import { expect, it } from 'bun:test';
import { objectiveClue } from './task-groups.ts';

it('shortens long objectives to different clues', () => {
  const long = 'word '.repeat(200);
  expect(objectiveClue(`${long}one`).length).toBeLessThan(370);
  expect(objectiveClue(`${long}one`)).toBe(objectiveClue(`${long}\n one `));
  expect(objectiveClue(`${long}one`)).not.toBe(objectiveClue(`${long}two`));
});
