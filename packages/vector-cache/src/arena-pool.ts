import { Arena } from './arena.ts';

// Beyond it a cache moves to an arena of its own, which goes with it. Below it caches share one:
// from about the ninth live memory on, engines slow down every access to all of them.
const SHARED_BYTES_MAX = 16 * 2 ** 20;
// An arena that is empty and small is kept: the next cache will want it.
const KEPT_BYTES_MAX = 2 ** 20;

let shared: Arena | undefined;

/** The arena for a cache that will hold `bytes`, given the one it has. */
export function chooseArena(bytes: number, current: Arena | undefined): Arena {
  if (bytes > SHARED_BYTES_MAX) {
    return current !== undefined && current !== shared ? current : new Arena();
  }
  if (current !== undefined) return current;
  shared ??= new Arena();
  return shared;
}

/** Lets go of an arena in which nothing is left, so that its memory returns to the system. */
export function releaseArena(arena: Arena): void {
  if (arena === shared && arena.isEmpty && arena.bytes > KEPT_BYTES_MAX) shared = undefined;
}

/** Bytes of the shared arena, for tests of what comes back. */
export function sharedBytes(): number {
  return shared?.bytes ?? 0;
}
