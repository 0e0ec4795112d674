import { describe, expect, it } from 'bun:test';
import { type Admission, createAdmission } from './admission.ts';

/** Creates an admission after one solo call that took this many milliseconds. */
function afterOneAlone(tookMs: number, maxPending = 1000): Admission {
  const admission = createAdmission(maxPending);
  admission.enter(0);
  admission.leave({ ahead: 0, tookMs, at: tookMs });
  return admission;
}

describe('admission', () => {
  it('admits a single call with any text and budget', () => {
    expect(createAdmission(1).admits(1e9, 0.001)).toBe(true);
    expect(afterOneAlone(1000).admits(0, 1)).toBe(true);
  });

  it('admits at most maxPending calls', () => {
    const admission = createAdmission(2);
    expect(admission.enter(0)).toBe(0);
    expect(admission.admits(0, 100)).toBe(true);
    expect(admission.enter(0)).toBe(1);
    expect(admission.pending).toBe(2);
    expect(admission.admits(0, 100)).toBe(false);
    admission.leave();
    expect(admission.admits(0, 100)).toBe(true);
  });

  it('holds at most 32 million characters until they are released', () => {
    const admission = createAdmission(1000);
    admission.enter(31_999_990);
    expect(admission.admits(10, 100)).toBe(true);
    expect(admission.admits(11, 100)).toBe(false);
    admission.release(1);
    expect(admission.admits(11, 100)).toBe(true);
  });

  it('forgets abandoned calls after a success', () => {
    const admission = afterOneAlone(1, 2);
    admission.enter(0);
    admission.abandon();
    expect(admission.admits(0, 100)).toBe(true);
    admission.leave({ ahead: 0, tookMs: 1, at: 2 });
    admission.enter(0);
    admission.abandon();
    expect(admission.admits(0, 100)).toBe(true);
    // The count restarts at 0; the maximum is two.
    admission.abandon();
    expect(admission.admits(0, 100)).toBe(false);
  });

  it('admits nothing while maxPending calls are abandoned, until one ends', () => {
    const admission = createAdmission(2);
    admission.enter(0);
    admission.abandon();
    expect(admission.admits(0, 100)).toBe(true);
    admission.abandon();
    expect(admission.admits(0, 100)).toBe(false);
    admission.recover();
    expect(admission.admits(0, 100)).toBe(true);
    admission.abandon();
    admission.leave({ ahead: 0, tookMs: 1, at: 1 });
    admission.enter(0);
    expect(admission.admits(0, 100)).toBe(true);
  });

  it('does not count a recovery of a call that was not abandoned', () => {
    const admission = createAdmission(2);
    admission.recover();
    admission.enter(0);
    admission.abandon();
    expect(admission.admits(0, 100)).toBe(true);
    admission.abandon();
    expect(admission.admits(0, 100)).toBe(false);
    const other = createAdmission(2);
    other.abandon();
    other.recover();
    other.abandon();
    other.enter(0);
    expect(other.admits(0, 100)).toBe(true);
  });

  it('uses nine tenths of a budget', () => {
    const admission = afterOneAlone(90);
    admission.enter(0);
    expect(admission.admits(0, 100)).toBe(true);
    // A call takes 90 ms alone and 92 ms behind one other: the slope is (92 - 90) / 1 · 0.2.
    admission.enter(0);
    admission.leave({ ahead: 1, tookMs: 92, at: 200 });
    expect(admission.admits(0, 100)).toBe(false);
    // 90 + 1 · 0.4 ms is within 0.9 of 100.5 ms.
    expect(admission.admits(0, 100.5)).toBe(true);
    expect(admission.admits(0, 100.4)).toBe(false);
  });

  it('adopts a faster solo time at once, and moves only a fifth of the way to a slower one', () => {
    const admission = afterOneAlone(50);
    const fits = (budgetMs: number): boolean => {
      admission.enter(0);
      const result = admission.admits(0, budgetMs);
      admission.leave();
      return result;
    };
    const leaveAlone = (tookMs: number): void => {
      admission.enter(0);
      admission.leave({ ahead: 0, tookMs, at: 0 });
    };
    leaveAlone(100);
    // The solo time is now 50 + (100 - 50) / 5.
    admission.enter(0);
    admission.enter(0);
    admission.leave({ ahead: 1, tookMs: 70, at: 0 });
    admission.leave();
    // A solo time of 60 and a slope of 2: 62 ms require 68.9.
    expect([fits(68.9), fits(68.8)]).toEqual([true, false]);
    leaveAlone(20);
    // A solo time of 20, and the slope decreases by a fifth.
    expect([fits(24.01), fits(23.9)]).toEqual([true, false]);
  });

  it('moves the slope a fifth of the way to each new measurement', () => {
    const admission = afterOneAlone(60);
    const leaveBehind = (ahead: number, tookMs: number): void => {
      admission.enter(0);
      admission.leave({ ahead, tookMs, at: 0 });
    };
    admission.enter(0);
    // The call is no slower than alone: the slope is 0, and 60 ms is within nine tenths of 66.7.
    leaveBehind(1, 60);
    expect(admission.admits(0, 66.7)).toBe(true);
    admission.enter(0);
    leaveBehind(2, 60.5);
    leaveBehind(1, 50);
    leaveBehind(4, 100);
    // (40 / 4 - 0.04) / 5 + 0.04 = 2.032 per call, so two calls take 64.064 ms, which require 71.18.
    expect([admission.admits(0, 71.19), admission.admits(0, 71.18)]).toEqual([true, false]);
  });

  it('moves the gap a fifth of the way to each new one', () => {
    const admission = afterOneAlone(1000);
    for (let count = 0; count < 3; count++) admission.enter(0);
    admission.leave({ ahead: 1, tookMs: 1000, at: 1250 });
    admission.leave({ ahead: 1, tookMs: 1000, at: 1500 });
    // The gap is 250 / 5 and then increases by (250 - 50) / 5: 90 ms are five budgets of 18.
    expect(admission.admits(0, 18)).toBe(true);
    expect(admission.admits(0, 17.9)).toBe(false);
  });

  it('counts no gap before the first success', () => {
    const admission = createAdmission(10);
    admission.enter(0);
    admission.enter(0);
    admission.enter(0);
    admission.leave();
    admission.leave({ ahead: 1, tookMs: 10, at: 3_600_000 });
    expect(admission.admits(0, 100)).toBe(true);
  });

  it('works off a backlog of more than five budgets if even a single call is late', () => {
    const admission = afterOneAlone(1000);
    for (let count = 0; count < 11; count++) admission.enter(0);
    // 250 ms after the previous call: a gap of 50 ms, so 500 ms for 10 pending: five budgets.
    admission.leave({ ahead: 1, tookMs: 1000, at: 1250 });
    expect(admission.admits(0, 100)).toBe(true);
    admission.enter(0);
    expect(admission.admits(0, 100)).toBe(false);
    // Nothing is admitted until all of them have ended.
    for (let count = 0; count < 10; count++) {
      admission.leave();
      expect(admission.admits(0, 100)).toBe(false);
    }
    admission.leave();
    admission.enter(0);
    expect(admission.admits(0, 100)).toBe(true);
  });
});
