import { KnowledgePulseError } from '@kp/foundation';

/** `remember` with more pending than the scorer may hold; there is no report that could say so. */
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

/** `remember` that did not end within its own `budgetMs`; it goes on. */
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

/** A call on a scorer after its `close()`, or one that was under way when waiting for it ended. */
export class ScorerClosedError extends KnowledgePulseError {
  constructor() {
    super({
      name: 'ScorerClosedError',
      code: 'SCORER_CLOSED',
      subject: 'scorer',
      expected: 'an open scorer',
      received: 'a closed one',
      remedy: 'create a new one',
    });
  }
}
