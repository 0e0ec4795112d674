/** What went through in how long; what has failed says nothing about that. */
export interface Success {
  /** How many were pending when it came. */
  readonly ahead: number;
  readonly tookMs: number;
  /** A reading of `performance.now()`. */
  readonly at: number;
}

/** Keeps what is pending within what can be answered. */
export interface Admission {
  /** Whether one more, of so many characters, may come in. */
  admits(characters: number, budgetMs: number): boolean;
  /** One comes in; gives how many were before it. */
  enter(characters: number): number;
  /** Its text is no longer held. */
  release(characters: number): void;
  leave(success?: Success): void;
  /** An operation was given up that the other side may still be working at, and holding. */
  abandon(): void;
  /** It has ended after all. */
  recover(): void;
  readonly pending: number;
}

// A text is held until it is embedded: 64 MB at 2 bytes a character.
const MAX_PENDING_CHARACTERS = 32_000_000;
// New ones are shed when they would take this part of their budget: estimates are not exact.
const USABLE_BUDGET = 0.9;
const SMOOTHING = 0.2;
// In budgets: where one alone comes too late, a backlog of this size is an overload all the same.
const LONG_BACKLOG = 5;

/**
 * Sheds what is past `maxPending`, and what would come too late: a queue that is longer than the
 * budget answers nobody in time. How long one takes is a straight line in how many are before it,
 * taken from those that went through: `alone + ahead · slope`. An embedder that works on many at
 * once has no slope, and sheds nothing.
 *
 * Where even one alone comes too late, shedding helps nobody, and what is late is still remembered.
 * But it may have been the first call alone that was slow, which loaded a model: so a long backlog is
 * worked off without letting in more, and then there is one alone to be timed.
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
