// Longest block of the event loop, apart from the step that exceeds it.
const BUDGET_MS = 2;

/** Measures how long the current turn of the event loop has been used. */
export class EventLoopBudget {
  /** Undefined until the first call of a turn. */
  #end: number | undefined;

  isUsedUp(): boolean {
    const now = performance.now();
    if (this.#end === undefined) {
      this.#end = now + BUDGET_MS;
      setImmediate(() => {
        this.#end = undefined;
      });
    }
    return now >= this.#end;
  }
}
