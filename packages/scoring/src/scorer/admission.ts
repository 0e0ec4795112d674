/** A call that succeeded; failed ones do not count for the estimate. */
export interface Success {
  /** Number of calls pending when it started. */
  readonly ahead: number;
  readonly tookMs: number;
  /** A reading of `performance.now()`. */
  readonly at: number;
}

/** Limits the pending calls to what can be answered in time. */
export interface Admission {
  /** Whether another call with a text of this length may start. */
  admits(characters: number, budgetMs: number): boolean;
  /** Records the start of a call; returns how many were pending before it. */
  enter(characters: number): number;
  /** Records that the text of a call is no longer in memory. */
  release(characters: number): void;
  leave(success?: Success): void;
  /** Records an abandoned call; the embedder may still work on its text. */
  abandon(): void;
  /** Records that the embedder has ended an abandoned call. */
  recover(): void;
  readonly pending: number;
}

// Texts stay in memory until they are embedded: 64 MB at 2 bytes per character.
const MAX_PENDING_CHARACTERS = 32_000_000;
// A call is shed if it would need more than this share of its budget, because estimates are not
// exact.
const USABLE_BUDGET = 0.9;
const SMOOTHING = 0.2;
// Length of a backlog, in budgets, that counts as overload even if a single call is already too
// slow.
const LONG_BACKLOG = 5;

/**
 * Sheds calls above `maxPending`, and calls that would be late: in a queue longer than the budget,
 * every call would be late. The duration of a call is estimated from earlier ones as `alone + ahead
 * · slope`. An embedder that works on many texts at once has no slope, and nothing is shed.
 *
 * If even a single call is too slow, shedding does not help: late traces are still remembered.
 * Perhaps only the first call was slow, because it loaded a model. So with a long backlog no call
 * is admitted until it is empty; the next call then runs alone and is timed again.
 */
export function createAdmission(maxPending: number): Admission {
  let pending = 0;
  let characters = 0;
  let abandoned = 0;
  let aloneMs = Number.POSITIVE_INFINITY;
  let slopeMs = 0;
  let gapMs = 0;
  let lastAt: number | undefined;
  let workingOff = false;
  return {
    admits(added, budgetMs) {
      if (pending === 0) return true;
      if (pending >= maxPending || abandoned >= maxPending) return false;
      if (characters + added > MAX_PENDING_CHARACTERS) return false;
      const usableMs = budgetMs * USABLE_BUDGET;
      if (aloneMs <= usableMs) return aloneMs + pending * slopeMs <= usableMs;
      workingOff ||= pending * gapMs > budgetMs * LONG_BACKLOG;
      return !workingOff;
    },
    enter(added) {
      characters += added;
      return pending++;
    },
    release(freed) {
      characters -= freed;
    },
    leave(success) {
      pending--;
      if (pending === 0) workingOff = false;
      if (success === undefined) return;
      abandoned = 0;
      const { ahead, tookMs, at } = success;
      if (ahead === 0) {
        aloneMs = tookMs < aloneMs ? tookMs : aloneMs + (tookMs - aloneMs) * SMOOTHING;
        slopeMs -= slopeMs * SMOOTHING;
      } else {
        slopeMs += (Math.max(0, tookMs - aloneMs) / ahead - slopeMs) * SMOOTHING;
        gapMs += (at - (lastAt ?? at) - gapMs) * SMOOTHING;
      }
      lastAt = at;
    },
    abandon() {
      abandoned++;
    },
    recover() {
      if (abandoned > 0) abandoned--;
    },
    get pending() {
      return pending;
    },
  };
}
