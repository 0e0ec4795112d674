import { expect, it } from 'bun:test';
import { crashedRunNotes } from './crashed-run-notes.ts';

it('crashedRunNotes names a run after its task, else its objective, else its id', () => {
  const run = { id: 'kp:trace:1', reason: 'no image', task: null };
  const [named, asked, bare] = crashedRunNotes('after', [
    { ...run, task: 'repair', objective: 'Repair it' },
    { ...run, objective: 'Repair it' },
    run,
  ]);
  expect(named).toEqual({ set: 'after', task: 'repair', reason: 'no image' });
  const objective = { set: 'after', task: 'Repair it', isObjective: true, reason: 'no image' };
  expect(asked).toEqual(objective as typeof asked);
  expect(bare).toEqual({ set: 'after', task: 'kp:trace:1', reason: 'no image' });
});
