import { afterEach, beforeEach } from 'bun:test';
import { type Clock, install } from '@sinonjs/fake-timers';

/** The time of a test. */
export interface VirtualTime {
  /** Advances the clock at once, like code that blocks the event loop. */
  pass(milliseconds: number): void;
}

/**
 * Gives each test of the file, or of the `describe` it is called in, separate timers and a
 * separate monotonic clock: when nothing else is left to do, the next timer goes off, and the clock says its time. So a
 * test that sets 5 ms against 30 ends the same on a machine that stands still for 300, and waits for
 * neither. Nothing but timers may be waited for: what comes from outside would find them run out.
 */
export function useVirtualTime(): VirtualTime {
  let clock: Clock;
  beforeEach(() => {
    clock = install({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
    });
    clock.setTickMode({ mode: 'nextAsync' });
  });
  afterEach(() => clock.uninstall());
  return { pass: (milliseconds) => clock.tick(milliseconds) };
}
