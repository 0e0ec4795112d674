import { invalidType } from './errors.ts';

/**
 * Checks the argument of `embed`.
 *
 * @throws TypeError when it is not an array, or, naming the index, when an entry is not a string.
 */
export function assertTexts(texts: unknown): asserts texts is readonly string[] {
  if (!Array.isArray(texts)) throw invalidType('texts', 'an array of strings', texts);
  for (let index = 0; index < texts.length; index++) {
    const text: unknown = texts[index];
    if (typeof text !== 'string') throw invalidType(`texts[${index}]`, 'a string', text);
  }
}

/** Settles as the promise does, or rejects with the signal's reason if that comes first. */
export function withSignal<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Longest that the embedders compute without letting others have the thread, in milliseconds. */
const SLICE_MS = 8;

/**
 * Keeps long work from holding up the thread it runs in. To be awaited between pieces of the work:
 * lets the event loop turn when 8 ms have gone by since it last did.
 *
 * @returns a function that rejects with the signal's reason once that is aborted.
 */
export function sliced(signal: AbortSignal | undefined): () => Promise<void> {
  let since = performance.now();
  return async () => {
    signal?.throwIfAborted();
    if (performance.now() - since < SLICE_MS) return;
    await turnOfTheEventLoop();
    since = performance.now();
    signal?.throwIfAborted();
  };
}

function turnOfTheEventLoop(): Promise<void> {
  const { setImmediate: soon } = globalThis as { setImmediate?: (callback: () => void) => void };
  return new Promise((resolve) => {
    if (soon === undefined) setTimeout(resolve, 0);
    else soon(resolve);
  });
}

/** The values scaled to length 1, as a new vector. All zeros stay zeros. */
export function unitVector(values: Float32Array | Float64Array): Float32Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ** 2;
  const vector = new Float32Array(values.length);
  if (sum === 0) return vector;
  const scale = 1 / Math.sqrt(sum);
  for (let i = 0; i < values.length; i++) vector[i] = values[i] * scale;
  return vector;
}
