import { expect, it, spyOn } from 'bun:test';
import { TurnClock } from './turns.ts';

it('tells that a turn is over after 2 ms, and begins with the next', async () => {
  let now = 100;
  const clock = spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const turn = new TurnClock();
    expect(turn.isOver()).toBe(false);
    now = 101.9;
    expect(turn.isOver()).toBe(false);
    now = 102;
    expect(turn.isOver()).toBe(true);
    await new Promise(setImmediate);
    // The first look of a turn begins it.
    expect(turn.isOver()).toBe(false);
    now = 103.9;
    expect(turn.isOver()).toBe(false);
    now = 104;
    expect(turn.isOver()).toBe(true);
  } finally {
    clock.mockRestore();
  }
});
