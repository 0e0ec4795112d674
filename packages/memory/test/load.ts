import { fileURLToPath } from 'node:url';
import type { MemoryEntry } from '@kp/scoring';
import type { DurableMemory } from '../src/log/durable-memory.ts';
import type { MemoryOptions } from '../src/log/options.ts';
import { openMemory } from '../src/open-memory.ts';
import { type Acknowledged, differenceFromReplay, logOf, vectorOf } from './replay.ts';

const DIFFERENT = 40;

export const TEST_EMBEDDER = { id: 'test/8', dimensions: 8 };

/** Opens a memory for the tests' vectors. */
export function openTest(location: string, options: MemoryOptions = {}): Promise<DurableMemory> {
  return openMemory(location, { embedder: TEST_EMBEDDER, timeoutMs: 45_000, ...options });
}

/** An entry with one of the tests' vectors. */
export function entry(key: string, number: number): MemoryEntry {
  return { key, vector: vectorOf(number), operationId: crypto.randomUUID() };
}

/** What a call is rejected with. */
export function failureOf(promise: Promise<unknown>): Promise<Error & { code: string }> {
  return promise.then(
    () => {
      throw new Error('expected the call to fail');
    },
    (error) => error,
  );
}

/**
 * Waits for what another process brings about.
 *
 * @returns whether it came; the bound is for what never does.
 */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let i = 0; i < 1500; i++) {
    if (await isSo()) return true;
    await Bun.sleep(20);
  }
  return false;
}

/** Calls again what a machine that is busy elsewhere does not do within a time-out that is short. */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let left = 20; ; left--) {
    try {
      return await call();
    } catch (error) {
      if (left === 0 || Reflect.get(Object(error), 'code') !== 'MEMORY_UNAVAILABLE') throw error;
    }
  }
}

/** Several handles that remember all the time, while `meanwhile` does its worst, and until `fewest`. */
export async function underLoad(
  location: string,
  namespace: string,
  meanwhile: () => Promise<void>,
  fewest = 50,
): Promise<string | undefined> {
  const handles = await Promise.all([1, 2, 3].map(() => openTest(location, { namespace })));
  const acknowledged: Acknowledged[] = [];
  let isOver = false;
  const writing = handles.map(async (memory, h) => {
    for (let i = 0; !isOver; i++) {
      const key = `${h}/${i}`;
      const vector = vectorOf(Math.floor(Math.random() * DIFFERENT));
      const entry = { key, vector, operationId: crypto.randomUUID() };
      const [answer] = await memory.compareAndRemember([entry]);
      acknowledged.push({ key, ...answer });
      if (i % 10 === 0) await Bun.sleep(1);
    }
  });
  try {
    await Promise.race([meanwhile(), Promise.all(writing)]);
    while (acknowledged.length < fewest) await Promise.race([Bun.sleep(20), Promise.all(writing)]);
    isOver = true;
    await Promise.all(writing);
  } finally {
    isOver = true;
    await Promise.all(handles.map((memory) => memory.close()));
  }
  return checkAgainstLog(location, namespace, acknowledged);
}

/** Writers of their own processes that are killed after a random number of answers, `kills` times. */
export async function killingWriters(
  location: string,
  namespace: string,
  kills: number,
): Promise<string | undefined> {
  await (await openTest(location, { namespace })).close();
  const acknowledged: Acknowledged[] = [];
  const writer = async (name: string): Promise<void> => {
    const program = fileURLToPath(new URL('writer.ts', import.meta.url));
    const words = [process.execPath, program, location, namespace, name, `${DIFFERENT}`];
    const child = Bun.spawn(words, { stdio: ['ignore', 'pipe', 'inherit'] });
    const bytes = 500 + Math.random() * 20_000;
    let text = '';
    let isKilled = false;
    for await (const chunk of child.stdout) {
      text += new TextDecoder().decode(chunk);
      if (isKilled || text.length < bytes) continue;
      isKilled = true;
      void Bun.sleep(Math.random() * 10).then(() => child.kill('SIGKILL'));
    }
    await child.exited;
    // A last line may be cut off.
    const lines = text.slice(0, text.lastIndexOf('\n')).split('\n').slice(1);
    acknowledged.push(...lines.map((line) => JSON.parse(line) as Acknowledged));
  };
  for (let i = 0; i < kills; i += 2) await Promise.all([writer(`a${i}`), writer(`b${i}`)]);
  if (acknowledged.length < 20) return `only ${acknowledged.length} answers`;
  return checkAgainstLog(location, namespace, acknowledged);
}

async function checkAgainstLog(
  location: string,
  namespace: string,
  acknowledged: readonly Acknowledged[],
): Promise<string | undefined> {
  const memory = await openTest(location, { namespace });
  try {
    return differenceFromReplay(await logOf(memory), acknowledged);
  } finally {
    await memory.close();
  }
}
