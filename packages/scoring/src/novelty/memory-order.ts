import { createPause } from '@kp/foundation';
import type { EntryToVisit, GuardedMemory } from './guard-memory.ts';
import type { MemoryAnswer } from './novelty-memory.ts';

/** The place of one trace in the order in which the memory is called. */
export interface MemoryTurn {
  /** Undefined until its embedding is ready; this turn and all later ones wait for it. */
  readonly entry: EntryToVisit | undefined;
  /** True if it was answered, failed or was abandoned: the order continues without it. */
  readonly over: boolean;
  answered(answer: MemoryAnswer): void;
  failed(cause: unknown): void;
}

/** Calls a memory in order, for many turns at once if it supports that. */
export interface MemoryOrder<Turn extends MemoryTurn> {
  push(turn: Turn): void;
  /** Call this when a turn has its entry, or has ended without one. */
  advance(): Promise<void>;
  /** Waiting turns, and turns that the memory is processing. */
  pending(): readonly Turn[];
}

const MOST_REMEMBERED_AT_ONCE = 256;
const MOST_COMPARED_AT_ONCE = 16;

export function createMemoryOrder<Turn extends MemoryTurn>(
  memory: GuardedMemory,
): MemoryOrder<Turn> {
  const { visit, rememberTogether } = memory;
  const order: Turn[] = [];
  let asked: readonly Turn[] = [];
  let advancing = false;

  async function advance(): Promise<void> {
    if (advancing) return;
    advancing = true;
    const pause = createPause();
    for (asked = nextTurns(); asked.length > 0; asked = nextTurns()) {
      await ask(asked);
      // A memory that answers at once would otherwise block the event loop.
      if (order.length > 0) await pause();
    }
    advancing = false;
  }

  /**
   * Returns the oldest turns that the memory can serve together; empty while the oldest has no
   * entry.
   */
  function nextTurns(): readonly Turn[] {
    const turns: Turn[] = [];
    let most = 1;
    while (order.length > 0) {
      const turn = order[0] as Turn;
      if (!turn.over) {
        if (turn.entry === undefined || turns.length === most) break;
        const { remember } = turn.entry;
        if (turns.length === 0) {
          if (!remember) most = MOST_COMPARED_AT_ONCE;
          else if (rememberTogether !== undefined) most = MOST_REMEMBERED_AT_ONCE;
        } else if (turns[0]?.entry?.remember !== remember) {
          break;
        }
        turns.push(turn);
      }
      order.shift();
    }
    return turns;
  }

  async function ask(turns: readonly Turn[]): Promise<void> {
    const first = turns[0]?.entry;
    if (first?.remember === true && rememberTogether !== undefined) {
      return askTogether(turns, rememberTogether);
    }
    await (turns.length === 1 ? askOne(turns[0] as Turn) : Promise.all(turns.map(askOne)));
  }

  async function askOne(turn: Turn): Promise<void> {
    try {
      turn.answered(await visit(turn.entry as EntryToVisit));
    } catch (cause) {
      turn.failed(cause);
    }
  }

  return {
    push: (turn) => order.push(turn),
    advance,
    pending: () => [...asked, ...order].filter(({ over }) => !over),
  };
}

async function askTogether(
  turns: readonly MemoryTurn[],
  rememberTogether: NonNullable<GuardedMemory['rememberTogether']>,
): Promise<void> {
  try {
    const answers = await rememberTogether(turns.map(({ entry }) => entry as EntryToVisit));
    for (const [index, turn] of turns.entries()) turn.answered(answers[index] as MemoryAnswer);
  } catch (cause) {
    for (const turn of turns) turn.failed(cause);
  }
}
