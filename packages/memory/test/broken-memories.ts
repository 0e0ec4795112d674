import type { MemoryAnswer, MemoryEntry, NoveltyMemory } from '@kp/scoring';
import { sharedMemoryContract, type WantedMemory } from '../src/contract/index.ts';
import {
  type KeptEntry,
  type ReferenceMemory,
  referenceMemory,
  type Stores,
} from './reference-memory.ts';

type Methods = { [Name in keyof NoveltyMemory]: NoveltyMemory[Name] | undefined };

/** What a handle of the reference does otherwise. */
export type Change = (
  memory: ReferenceMemory,
  context: {
    readonly wanted: WantedMemory;
    /** What the store of the handle holds; may be changed behind its back. */
    readonly kept: () => KeptEntry[];
  },
) => Partial<Methods>;

/**
 * What the rules say of the reference, changed: `kept`, or the message of the first that is broken.
 *
 * @param title - of the one rule that is checked; all of them when it is left out.
 * @param readWanted - what the memory makes of what it is asked to be.
 */
export async function complaint(
  change: Change,
  title?: string,
  readWanted: (wanted: WantedMemory) => WantedMemory = (wanted) => wanted,
): Promise<string> {
  const rules = sharedMemoryContract.filter((rule) => title === undefined || rule.title === title);
  if (rules.length === 0) throw new Error(`no rule ${title}`);
  const stores: Stores = new Map();
  for (const { check } of rules) {
    const error = await check((asked) => {
      const wanted = readWanted(asked);
      const memory = referenceMemory(stores, wanted);
      const kept = () => stores.get(wanted.name)?.entries ?? [];
      // Its own methods go on with the changed ones, as those of a memory would.
      const changed = change({ ...memory, size: 0 }, { wanted, kept });
      return Object.defineProperties(memory, Object.getOwnPropertyDescriptors(changed));
    }).then(
      () => undefined,
      (reason: Error) => reason.message,
    );
    if (error !== undefined) return error;
  }
  return 'kept';
}

/** Gives other answers to what is compared and remembered; undefined leaves an answer as it is. */
export function answering(
  change: (
    answer: MemoryAnswer,
    entry: MemoryEntry,
    call: readonly MemoryEntry[],
  ) => MemoryAnswer | undefined,
): Change {
  return ({ compareAndRemember }) => ({
    async compareAndRemember(entries, options) {
      const answers = await compareAndRemember(entries, options);
      return answers.map(
        (answer, i) => change(answer, entries[i] as MemoryEntry, entries) ?? answer,
      );
    },
  });
}

/** Finds something else nearest; undefined leaves it as it is. */
export function finding(
  change: (
    found: { readonly key?: string; readonly similarity: number },
    vector: Float32Array,
  ) => { key?: string; similarity: number } | undefined,
): Change {
  return ({ nearest }) => ({
    async nearest(vector, options) {
      const found = await nearest(vector, options);
      return found && (change(found, vector) ?? found);
    },
  });
}

/** Does more after entries were compared and remembered. */
export function afterwards(
  doMore: (
    entries: readonly MemoryEntry[],
    kept: KeptEntry[],
    memory: ReferenceMemory,
  ) => void | Promise<void>,
): Change {
  return (memory, { kept }) => ({
    async compareAndRemember(entries, options) {
      const answers = await memory.compareAndRemember(entries, options);
      await doMore(entries, kept(), memory);
      return answers;
    },
  });
}

/** Has another size than it holds. */
export function sized(change: (size: number) => number): Change {
  return (_, { kept }) => ({
    get size() {
      return change(kept().length);
    },
  });
}
