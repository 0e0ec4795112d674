import { describeValue } from '@kp/foundation';
import type { NearestTrace } from '../formula/score-report.ts';
import { MemoryError, OperationTimeoutError } from './errors.ts';
import type { MemoryAnswer, MemoryEntry, NoveltyMemory, SameId } from './novelty-memory.ts';
import { inTime, isPromise, lazySignal } from './operation.ts';

/** A memory that answers in bounded time, with answers that were checked, or fails. */
export interface GuardedMemory {
  /** Compares, remembers, or compares and then remembers one entry. */
  visit(entry: EntryToVisit): Promise<MemoryAnswer>;
  /** Compares each with all before it and remembers it, where the memory can do so. */
  readonly rememberTogether:
    | ((entries: readonly EntryToVisit[]) => Promise<readonly MemoryAnswer[]>)
    | undefined;
}

export interface EntryToVisit {
  readonly vector: Float32Array;
  readonly key: string;
  readonly compare: boolean;
  readonly remember: boolean;
}

/**
 * @returns a memory whose methods reject with {@link MemoryError} when the memory throws, rejects
 * or answers what cannot be, and with `OperationTimeoutError` when it does not answer in time.
 */
export function guardMemory(
  memory: NoveltyMemory,
  sameId: SameId,
  timeoutMs: number,
): GuardedMemory {
  const name = nameOf(memory);
  const forget = sameId === 'replace' ? forgetOf(memory) : undefined;

  function failure(operation: string, cause: unknown): unknown {
    if (cause instanceof MemoryError || cause instanceof OperationTimeoutError) return cause;
    return new MemoryError(name, operation, { cause });
  }

  async function visit({ vector, key, compare, remember }: EntryToVisit): Promise<MemoryAnswer> {
    const lazy = lazySignal();
    let operation = 'forget';
    const wait = <T>(answer: PromiseLike<T>): Promise<T> =>
      inTime(`${name}: ${operation}`, timeoutMs, answer, lazy);
    try {
      if (remember && forget !== undefined) {
        const forgotten = forget(key, lazy);
        if (isPromise(forgotten)) await wait(forgotten);
      }
      let nearest: NearestTrace | undefined;
      let comparedWith: number | undefined;
      if (compare) {
        operation = 'nearest';
        const found = memory.nearest(vector, lazy);
        nearest = checkNearest(name, operation, isPromise(found) ? await wait(found) : found);
        operation = 'size';
        const { size } = memory;
        comparedWith = checkCount(name, operation, isPromise(size) ? await wait(size) : size);
      }
      if (remember) {
        operation = 'add';
        const added = memory.add(vector, key, lazy);
        if (isPromise(added)) await wait(added);
      }
      return { nearest, comparedWith };
    } catch (cause) {
      throw failure(operation, cause);
    }
  }

  async function rememberTogether(
    entries: readonly EntryToVisit[],
  ): Promise<readonly MemoryAnswer[]> {
    const operation = 'compareAndRemember';
    const lazy = lazySignal();
    const options = {
      sameId,
      get signal(): AbortSignal {
        return lazy.signal;
      },
    };
    const given = entries.map(
      ({ vector, key }): MemoryEntry => ({ vector, key, operationId: randomUuid() }),
    );
    try {
      const asked = memory.compareAndRemember?.(given, options);
      const answers: unknown = isPromise(asked)
        ? await inTime(`${name}: ${operation}`, timeoutMs, asked, lazy)
        : asked;
      if (!Array.isArray(answers) || answers.length !== entries.length) {
        const received = Array.isArray(answers) ? `${answers.length}` : describeValue(answers);
        throw new MemoryError(name, operation, { expected: `${entries.length} answers`, received });
      }
      return entries.map((_, index) => checkAnswer(name, operation, answers[index]));
    } catch (cause) {
      throw failure(operation, cause);
    }
  }

  const batches = typeof memory.compareAndRemember === 'function';
  return { visit, rememberTogether: batches ? rememberTogether : undefined };
}

/** Whether the memory can take an entry out before it compares. */
export function canReplace(memory: NoveltyMemory): boolean {
  return memory.compareAndRemember !== undefined || forgetOf(memory) !== undefined;
}

type Forget = NonNullable<NoveltyMemory['forget']>;

/** A `VectorCache` calls it `delete`. */
function forgetOf(memory: NoveltyMemory & { readonly delete?: unknown }): Forget | undefined {
  const method = memory.forget ?? memory.delete;
  return typeof method === 'function' ? (method.bind(memory) as Forget) : undefined;
}

function nameOf(memory: NoveltyMemory): string {
  const type: unknown = memory.constructor?.name;
  return typeof type === 'string' && type !== '' && type !== 'Object' ? `memory ${type}` : 'memory';
}

function randomUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  // A page without https has no randomUUID.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function checkAnswer(memory: string, operation: string, answer: unknown): MemoryAnswer {
  if (typeof answer !== 'object' || answer === null) {
    const received = describeValue(answer);
    throw new MemoryError(memory, operation, { expected: 'an object as each answer', received });
  }
  const given = answer as MemoryAnswer;
  const nearest = checkNearest(memory, operation, given.nearest);
  const comparedWith = checkCount(memory, operation, given.comparedWith);
  if (nearest === undefined && comparedWith === undefined) checkEmpty(memory, operation, answer);
  if (nearest === undefined && comparedWith !== undefined && comparedWith > 0) {
    const expected = `the nearest of the ${comparedWith} entries it compared with`;
    throw new MemoryError(memory, operation, { expected, received: 'nothing' });
  }
  return { nearest, comparedWith };
}

/** An answer of another shape, such as the nearest trace itself, would read as an empty memory. */
function checkEmpty(memory: string, operation: string, answer: object): void {
  const known = ['nearest', 'comparedWith'];
  const unknown = Object.keys(answer).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const expected = `${known.join(' and ')} in each answer`;
  throw new MemoryError(memory, operation, { expected, received: describeValue(unknown) });
}

// Stores that compute in 32 bits go this far past 1 for equal vectors, and not further.
const ROUNDING = 1e-4;

function checkNearest(
  memory: string,
  operation: string,
  nearest: unknown,
): NearestTrace | undefined {
  if (nearest === undefined) return undefined;
  if (typeof nearest !== 'object' || nearest === null) {
    const expected = 'the nearest trace, or undefined';
    throw new MemoryError(memory, operation, { expected, received: describeValue(nearest) });
  }
  const { key, similarity } = nearest as { key?: unknown; similarity?: unknown };
  if (typeof similarity !== 'number' || !(Math.abs(similarity) <= 1 + ROUNDING)) {
    const received = describeValue(similarity);
    throw new MemoryError(memory, operation, { expected: 'a similarity from -1 to 1', received });
  }
  if (key !== undefined && typeof key !== 'string') {
    const received = describeValue(key);
    throw new MemoryError(memory, operation, { expected: 'text or undefined as key', received });
  }
  return { key, similarity: Math.max(-1, Math.min(1, similarity)) };
}

function checkCount(memory: string, operation: string, count: unknown): number | undefined {
  if (count === undefined) return undefined;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count;
  const expected = 'a number of entries, or undefined';
  throw new MemoryError(memory, operation, { expected, received: describeValue(count) });
}
