import type { Embedding, EmbedOptions } from '../embedder.ts';
import { EmbedderLoadError } from '../embedder-load-error.ts';
import { startThread, type Thread } from '../thread.ts';
import type { ModelRunner } from '../transformers/model-runner.ts';
import type { TransformersEmbedderOptions } from '../transformers/transformers-embedder-options.ts';
import { withSignal } from '../with-signal.ts';
import type { Answer, Request, SentOptions } from './messages.ts';
import { fromSentError } from './sent-error.ts';

interface PendingCall {
  resolve(embeddings: Embedding[]): void;
  reject(error: Error): void;
}

type Numbered = Extract<Request, { readonly number: number }>;

/**
 * Loads and runs a model in another thread, which is started with the first call. A thread that died
 * fails the calls it had; the next call starts another.
 */
export function createWorkerRunner(options: TransformersEmbedderOptions): ModelRunner {
  const create = typeof options.worker === 'function' ? options.worker : undefined;
  const pending = new Map<number, PendingCall>();
  let thread: Thread<Request, Answer> | undefined;
  let calls = 0;

  const settle = (number: number): PendingCall | undefined => {
    const call = pending.get(number);
    pending.delete(number);
    if (pending.size === 0) thread?.keepAlive(false);
    return call;
  };

  const receive = (answer: Answer): void => {
    if (answer.type === 'progress') options.onProgress?.(answer.progress);
    else if (answer.type === 'done') settle(answer.number)?.resolve(answer.embeddings);
    else settle(answer.number)?.reject(fromSentError(answer.error));
  };

  const start = (): Thread<Request, Answer> => {
    const started = startThread<Request, Answer>(create);
    started.onMessage(receive);
    started.onFailure((cause) => {
      if (thread !== started) return;
      thread = undefined;
      for (const number of [...pending.keys()]) settle(number)?.reject(workerError(cause));
    });
    started.post({ type: 'start', options: sentOptions(options) });
    return started;
  };

  const call = (request: (number: number) => Numbered): [number, Promise<Embedding[]>] => {
    const number = calls++;
    const answered = new Promise<Embedding[]>((resolve, reject) => {
      pending.set(number, { resolve, reject });
    });
    try {
      thread ??= start();
      thread.keepAlive(true);
      thread.post(request(number));
    } catch (cause) {
      settle(number)?.reject(workerError(cause));
    }
    return [number, answered];
  };

  return {
    ready: async () => void (await call((number) => ({ type: 'ready', number }))[1]),
    embed: (texts, { signal, boundaries }: EmbedOptions) => {
      const [number, answered] = call((n) => ({ type: 'embed', number: n, texts, boundaries }));
      const cancel = (): void => thread?.post({ type: 'cancel', number });
      signal?.addEventListener('abort', cancel, { once: true });
      answered.finally(() => signal?.removeEventListener('abort', cancel)).catch(() => undefined);
      return withSignal(answered, signal);
    },
    close: async () => {
      if (thread === undefined) return;
      await call((number) => ({ type: 'close', number }))[1];
      const closing = thread;
      thread = undefined;
      closing.terminate();
    },
  };
}

function sentOptions(options: TransformersEmbedderOptions): SentOptions {
  const { worker, cache, onProgress, transformers, retry = {}, ...sent } = options;
  const { now, ...waits } = retry;
  return { ...sent, retry: waits };
}

function workerError(cause: unknown): EmbedderLoadError {
  return new EmbedderLoadError({
    code: 'WORKER_FAILED',
    subject: 'worker',
    expected: 'a running worker thread',
    received: cause instanceof Error ? cause.message : String(cause),
    remedy:
      'Leave worker out, or, in a bundle or an executable, give a function that starts the worker.',
    cause,
  });
}
