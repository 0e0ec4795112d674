import { describe, expect, it } from 'bun:test';
import { type Admission, createAdmission } from './admission.ts';

/** An admission through which one has gone alone, in so many milliseconds. */
function afterOneAlone(tookMs: number, maxPending = 1000): Admission {
  const admission = createAdmission(maxPending);
  admission.enter(0);
  admission.leave({ ahead: 0, tookMs, at: tookMs });
  return admission;
}

describe('admission', () => {
  it('lets in whoever comes alone, however long its text and short its budget', () => {
    expect(createAdmission(1).admits(1e9, 0.001)).toBe(true);
    expect(afterOneAlone(1000).admits(0, 1)).toBe(true);
  });

  it('lets in as many as may be pending, and no more', () => {
    const admission = createAdmission(2);
    expect(admission.enter(0)).toBe(0);
    expect(admission.admits(0, 100)).toBe(true);
    expect(admission.enter(0)).toBe(1);
    expect(admission.pending).toBe(2);
    expect(admission.admits(0, 100)).toBe(false);
    admission.leave();
    expect(admission.admits(0, 100)).toBe(true);
  });

  it('holds 32 million characters and not one more, until they are released', () => {
    const admission = createAdmission(1000);
    admission.enter(31_999_990);
    expect(admission.admits(10, 100)).toBe(true);
    expect(admission.admits(11, 100)).toBe(false);
    admission.release(1);
    expect(admission.admits(11, 100)).toBe(true);
  });

  it('forgets who was given up as soon as one went through', () => {
    const admission = afterOneAlone(1, 2);
    admission.enter(0);
    admission.abandon();
    expect(admission.admits(0, 100)).toBe(true);
    admission.leave({ ahead: 0, tookMs: 1, at: 2 });
    admission.enter(0);
    admission.abandon();
    expect(admission.admits(0, 100)).toBe(true);
    // Counted from none again: two are as many as may be pending.
    admission.abandon();
    expect(admission.admits(0, 100)).toBe(false);
  });

  it('lets in nothing beside as many given up as may be pending, until one has ended', () => {
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

  it('counts no recovery of what was never given up', () => {
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

  it('uses nine tenths of a budget, and all of them', () => {
    const admission = afterOneAlone(90);
    admission.enter(0);
    expect(admission.admits(0, 100)).toBe(true);
    // Two alone in 90 ms and 2 behind one: a slope of (92 - 90) / 1 · 0.2.
    admission.enter(0);
    admission.leave({ ahead: 1, tookMs: 92, at: 200 });
    expect(admission.admits(0, 100)).toBe(false);
    // 90 + 1 · 0.4 ms fit 0.9 of 100.5 ms.
    expect(admission.admits(0, 100.5)).toBe(true);
    expect(admission.admits(0, 100.4)).toBe(false);
  });

  it('takes the fastest alone at once, and a fifth of what is slower', () => {
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
    // 50 + (100 - 50) / 5. Where even one alone is too late, nothing is shed: see the next test.
    admission.enter(0);
    admission.enter(0);
    admission.leave({ ahead: 1, tookMs: 70, at: 0 });
    admission.leave();
    // Alone 60 and a slope of 2: 62 ms want 68.9.
    expect([fits(68.9), fits(68.8)]).toEqual([true, false]);
    leaveAlone(20);
    // Alone 20, and the slope a fifth less.
    expect([fits(24.01), fits(23.9)]).toEqual([true, false]);
  });

  it('takes a fifth of what each behind others took longer, for each of those', () => {
    const admission = afterOneAlone(60);
    const leaveBehind = (ahead: number, tookMs: number): void => {
      admission.enter(0);
      admission.leave({ ahead, tookMs, at: 0 });
    };
    admission.enter(0);
    // As fast as alone: no slope, and 60 ms fit nine tenths of 66.7.
    leaveBehind(1, 60);
    expect(admission.admits(0, 66.7)).toBe(true);
    admission.enter(0);
    leaveBehind(2, 60.5);
    leaveBehind(1, 50);
    leaveBehind(4, 100);
    // (40 / 4 - 0.04) / 5 and 0.04 make 2.032 for each of two: 64.064 ms want 71.18.
    expect([admission.admits(0, 71.19), admission.admits(0, 71.18)]).toEqual([true, false]);
  });

  it('takes a fifth of each new gap between two that left', () => {
    const admission = afterOneAlone(1000);
    for (let count = 0; count < 3; count++) admission.enter(0);
    admission.leave({ ahead: 1, tookMs: 1000, at: 1250 });
    admission.leave({ ahead: 1, tookMs: 1000, at: 1500 });
    // 250 / 5, and then (250 - 50) / 5 more: 90 ms are five budgets of 18.
    expect(admission.admits(0, 18)).toBe(true);
    expect(admission.admits(0, 17.9)).toBe(false);
  });

  it('counts no gap before the first that left, however long the process has run', () => {
    const admission = createAdmission(10);
    admission.enter(0);
    admission.enter(0);
    admission.enter(0);
    admission.leave();
    admission.leave({ ahead: 1, tookMs: 10, at: 3_600_000 });
    expect(admission.admits(0, 100)).toBe(true);
  });

  it('works off a backlog of more than five budgets where even one alone is late', () => {
    const admission = afterOneAlone(1000);
    for (let count = 0; count < 11; count++) admission.enter(0);
    // One left 250 ms after the one before: a gap of 50 ms, for 10 pending 500 ms: five budgets.
    admission.leave({ ahead: 1, tookMs: 1000, at: 1250 });
    expect(admission.admits(0, 100)).toBe(true);
    admission.enter(0);
    expect(admission.admits(0, 100)).toBe(false);
    // Nobody comes in until all are gone.
    for (let count = 0; count < 10; count++) {
      admission.leave();
      expect(admission.admits(0, 100)).toBe(false);
    }
    admission.leave();
    admission.enter(0);
    expect(admission.admits(0, 100)).toBe(true);
  });
});
