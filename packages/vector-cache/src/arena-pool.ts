import { Arena } from './arena.ts';
import { OutOfMemoryError } from './errors.ts';
import { isKernelSupported } from './kernel.ts';

// Beyond it a cache moves to an arena of its own, which goes with it. Below it caches share one:
// from about the ninth live memory on, engines slow down every access to all of them.
const SHARED_BYTES_MAX = 16 * 2 ** 20;
// An arena that is empty and small is kept: the next cache will want it.
const KEPT_BYTES_MAX = 2 ** 20;

let shared: Arena | undefined;

/** Whether an arena can be had: there is a kernel, and memory for one. */
export function isArenaAvailable(): boolean {
  shared ??= createArena();
  return shared !== undefined;
}

/**
 * The arena for a cache that will hold `bytes`, given the one it has. Where memory for one of its
 * own is refused, it stays.
 *
 * @throws OutOfMemoryError when it has none and none can be had.
 */
export function chooseArena(bytes: number, current: Arena | undefined): Arena {
  if (bytes > SHARED_BYTES_MAX && (current === undefined || current === shared)) {
    return createArena() ?? current ?? sharedArena();
  }
  return current ?? sharedArena();
}

/** Lets go of an arena in which nothing is left, so that its memory returns to the system. */
export function releaseArena(arena: Arena): void {
  if (arena === shared && arena.isEmpty && arena.bytes > KEPT_BYTES_MAX) shared = undefined;
}

/** Bytes of the shared arena, for tests of what comes back. */
export function sharedBytes(): number {
  return shared?.bytes ?? 0;
}

function sharedArena(): Arena {
  if (!isArenaAvailable()) throw new OutOfMemoryError(0);
  return shared as Arena;
}

function createArena(): Arena | undefined {
  if (!isKernelSupported()) return undefined;
  try {
    return new Arena();
  } catch (cause) {
    // An engine reserves gigabytes of addresses for each memory, which the system may refuse.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}
