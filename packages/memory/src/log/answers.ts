import type { MemoryAnswer } from '@kp/scoring';
import type { LogFacts, Space, StoredEntry } from './log.ts';
import type { Question } from './question.ts';

/**
 * Who answers for one namespace of a store: a process that has read its log, or a server with an
 * index. Everything else of a memory is the same for both.
 */
export interface Answers {
  readonly engine: string;
  readonly space: Space;
  /** How many questions wait. */
  readonly waiting: number;
  ask(question: Question, signal: AbortSignal | undefined): Promise<MemoryAnswer>;
  /** How many entries are remembered now. */
  size(): Promise<number>;
  /** Erases what has a key; how many there were. */
  forget(key: string): Promise<number>;
  /** What is remembered, oldest first. */
  stored(): AsyncIterable<StoredEntry>;
  facts(): Promise<LogFacts>;
  /** Answers what waits, and lets go of the store. */
  close(): Promise<void>;
}
