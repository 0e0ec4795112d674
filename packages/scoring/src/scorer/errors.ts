import { KnowledgePulseError } from '@kp/foundation';

/**
 * `remember` was called while too many traces were pending; unlike `evaluate`, it has no report
 * that could show this.
 */
export class ScorerOverloadedError extends KnowledgePulseError {
  constructor(maxPending: number) {
    super({
      name: 'ScorerOverloadedError',
      code: 'SCORER_OVERLOADED',
      subject: 'scorer',
      expected: `room among ${maxPending} pending traces`,
      received: 'none',
      remedy: 'try again later, or set a larger maxPending',
    });
  }
}

/** `remember` did not end within its `budgetMs`; it continues in the background. */
export class BudgetExceededError extends KnowledgePulseError {
  constructor(budgetMs: number) {
    super({
      name: 'BudgetExceededError',
      code: 'BUDGET_EXCEEDED',
      subject: 'remember',
      expected: `an end within ${budgetMs} ms`,
      received: 'none',
      remedy: 'the trace is remembered when its turn comes',
    });
  }
}

/** A call on a closed scorer, or a call that was still pending when `close()` stopped waiting. */
export class ScorerClosedError extends KnowledgePulseError {
  constructor() {
    super({
      name: 'ScorerClosedError',
      code: 'SCORER_CLOSED',
      subject: 'scorer',
      expected: 'an open scorer',
      received: 'a closed scorer',
      remedy: 'create a new one',
    });
  }
}
