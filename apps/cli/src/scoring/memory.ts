import { type Embedder, type NoveltyMemory, VectorCache } from '@knowledgepulse/sdk';
import { KnowledgePulseError, redactUrls } from '@kp/foundation';
import { type MemoryWarning, openMemory } from '@kp/memory';
import { UsageError } from '../output/errors.ts';
import { say } from '../output/terminal.ts';
import { count, grouped } from '../output/text.ts';

/** What the options about the memory give. */
export interface MemoryFlags {
  readonly memory?: string;
  readonly memorySize?: number;
  readonly namespace?: string;
  /** How many seconds the memory may take to answer. */
  readonly memoryTimeout?: number;
}

/** The memory that traces are compared with. */
export interface ChosenMemory {
  readonly memory: NoveltyMemory;
  /** What to say of it at the end; nothing of one that ends with the process. */
  describe(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const SIZE_WITHIN_A_RUN = 1000;
// A person waits longer than a service may.
const TIMEOUT_MS = 30_000;

/**
 * The memory at a location, made when it is not there; without one, a memory of this run alone.
 *
 * @throws {@link UsageError} when it is damaged, no memory, of another embedder, or cannot be had.
 */
export async function openChosenMemory(
  embedder: Embedder,
  { memory: location, memorySize, namespace, memoryTimeout }: MemoryFlags,
): Promise<ChosenMemory> {
  const { dimensions, id: embedderId } = embedder;
  if (location === undefined) {
    const maxElements = memorySize ?? SIZE_WITHIN_A_RUN;
    const memory = new VectorCache({ dimensions, embedderId, maxElements });
    return { memory, describe: async () => [], close: async () => undefined };
  }
  const memory = await asUse('--memory: ', () =>
    openMemory(location, {
      embedder,
      namespace,
      maxElements: memorySize,
      timeoutMs: memoryTimeout === undefined ? TIMEOUT_MS : memoryTimeout * 1000,
      hashKeys: keySecret(),
      onWarning: sayWarning('--memory: '),
    }),
  );
  return {
    memory,
    async describe() {
      // That it cannot be asked has been told where it mattered.
      const stats = await memory.stats().catch(() => undefined);
      if (stats === undefined) return [];
      const most = count(Number(stats.maxElements), 'trace');
      return [`${grouped(stats.entries)} of at most ${most} remembered in ${redactUrls(location)}`];
    },
    close: () => memory.close(),
  };
}

/** Prints what a memory warns of. */
export function sayWarning(place: string): (warning: MemoryWarning) => void {
  return ({ code, message }) => {
    if (code === 'MEMORY_NOT_ENCRYPTED') sayOnce(place, message.replace(/^\w+: /, ''));
    else say(`kp: ${place}${message}`);
  };
}

const said = new Set<string>();

/** Prints a warning that queue and memory may both give, when they are on one server. */
export function sayOnce(place: string, warning: string): void {
  if (said.has(warning)) return;
  said.add(warning);
  say(`kp: ${place}${warning}`);
}

/** The secret that keys are hashed with, which must not be seen in a list of processes. */
export function keySecret(): string | undefined {
  return process.env.KP_MEMORY_SECRET;
}

/** What is wrong with a location or a memory is told in one line. */
export async function asUse<T>(place: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof KnowledgePulseError)) throw error;
    const { subject, expected, received } = error;
    const details = {
      subject,
      expected: String(expected),
      received: String(received),
      cause: error,
    };
    throw new UsageError(details, `${place}${error.message}`);
  }
}
