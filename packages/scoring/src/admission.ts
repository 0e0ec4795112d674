/** Keeps what is pending within what can be answered. */
export interface Admission {
  /** Whether one more, of so many characters, may come in. */
  admits(characters: number, budgetMs: number): boolean;
  /** One comes in; gives how many were before it. */
  enter(characters: number): number;
  /** Its text is no longer held. */
  release(characters: number): void;
  /** It goes, as a success that took `tookMs` with `ahead` before it, or as a failure. */
  leave(success?: { readonly ahead: number; readonly tookMs: number }): void;
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

/**
 * Sheds what is past `maxPending`, and what would come too late: a queue that is longer than the
 * budget answers nobody in time. How long one takes is a straight line in how many are before it,
 * taken from those that went through: `alone + ahead · slope`. An embedder that works on many at
 * once has no slope, and sheds nothing.
 */
export function createAdmission(maxPending: number): Admission {
  let pending = 0;
  let characters = 0;
  let abandoned = 0;
  let aloneMs = Number.POSITIVE_INFINITY;
  let slopeMs = 0;
  return {
    admits(added, budgetMs) {
      if (pending === 0) return true;
      if (pending >= maxPending || abandoned >= maxPending) return false;
      if (characters + added > MAX_PENDING_CHARACTERS) return false;
      const usableMs = budgetMs * USABLE_BUDGET;
      // Where even one alone comes too late, shedding would help nobody.
      return aloneMs > usableMs || aloneMs + pending * slopeMs <= usableMs;
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
      if (success === undefined) return;
      abandoned = 0;
      const { ahead, tookMs } = success;
      if (ahead === 0) {
        aloneMs = tookMs < aloneMs ? tookMs : aloneMs + (tookMs - aloneMs) * SMOOTHING;
        slopeMs -= slopeMs * SMOOTHING;
      } else {
        slopeMs += (Math.max(0, tookMs - aloneMs) / ahead - slopeMs) * SMOOTHING;
      }
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
