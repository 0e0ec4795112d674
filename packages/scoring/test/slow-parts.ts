import type { Embedder } from '@kp/embedder';
import type { ReasoningTrace } from '@kp/schema';
import { VectorCache } from '@kp/vector-cache';
import type { MemoryAnswer, NoveltyMemory } from '../src/novelty/novelty-memory.ts';
import { hashedVector, later, type StandInEmbedder, standInEmbedder } from './stand-in-embedder.ts';
import { traceWith } from './traces.ts';

export const unlimited = { budgetMs: Number.POSITIVE_INFINITY };

/** An embedder that answers immediately. */
export const quick = (): StandInEmbedder => standInEmbedder(16, (text) => hashedVector(text, 16));

export const never = (): Promise<never> => new Promise<never>(() => undefined);

/** Traces of different tasks. */
export const numbered = (index: number): ReasoningTrace =>
  traceWith({ id: `kp:trace:${index}`, objective: `task ${index}` });

/** An embedder that processes one text at a time, and counts its busy milliseconds. */
export function serial(
  milliseconds: number,
  firstMilliseconds = milliseconds,
): Embedder & { busyMs: number } {
  let last: Promise<unknown> = Promise.resolve();
  const embedder = standInEmbedder(16, (text) => {
    const mine = last.then(async () => {
      const begin = performance.now();
      const takes = busy.busyMs === 0 ? firstMilliseconds : milliseconds;
      const vector = await later(takes, () => hashedVector(text, 16));
      busy.busyMs += performance.now() - begin;
      return vector;
    });
    last = mine;
    return mine;
  });
  const busy = Object.assign(embedder, { busyMs: 0 });
  return busy;
}

/** A memory with `compareAndRemember` whose calls take the given time. */
export function batching(milliseconds: number, batches: number[] = []): NoveltyMemory {
  const cache = new VectorCache({ dimensions: 16, maxElements: 10_000 });
  return {
    nearest: (vector) => later(milliseconds, () => cache.nearest(vector)),
    add: (vector, key) => later(milliseconds, () => cache.add(vector, key)),
    compareAndRemember: (entries) =>
      later(milliseconds, () => {
        batches.push(entries.length);
        return entries.map(({ vector, key }): MemoryAnswer => {
          const answer = { nearest: cache.nearest(vector), comparedWith: cache.size };
          cache.add(vector, key);
          return answer;
        });
      }),
  };
}

export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of stream) all.push(item);
  return all;
}

export const done = (): IteratorResult<ReasoningTrace> => ({ done: true, value: undefined });

/** A source of `count` valid traces, followed by `end`; counts the calls of its methods. */
export function countedSource(
  count: number,
  end: () => IteratorResult<ReasoningTrace> | Promise<never> = done,
): { calls: { next: number; return: number }; source: AsyncIterable<ReasoningTrace> } {
  const calls = { next: 0, return: 0 };
  const source: AsyncIterable<ReasoningTrace> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        calls.next++;
        return calls.next <= count ? { done: false, value: numbered(calls.next) } : end();
      },
      async return() {
        calls.return++;
        return done();
      },
    }),
  };
  return { calls, source };
}
