// The event loop is held no longer than about this, and one step more.
const TURN_MS = 2;

/** Tells when one turn of the event loop has been held for long enough. */
export class TurnClock {
  /** Undefined: the turn has just begun. */
  #end: number | undefined;

  isOver(): boolean {
    const now = performance.now();
    if (this.#end === undefined) {
      this.#end = now + TURN_MS;
      setImmediate(() => {
        this.#end = undefined;
      });
    }
    return now >= this.#end;
  }
}

/** Lets everything else in the process run that is waiting to. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
