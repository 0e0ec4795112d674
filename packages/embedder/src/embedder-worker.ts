import { createModelRunner } from './transformers/create-model-runner.ts';
import type { ModelRunner } from './transformers/model-runner.ts';
import type { Answer, Request } from './worker/messages.ts';
import { parentThread } from './worker/parent-thread.ts';
import { toSentError } from './worker/sent-error.ts';

/** The program of the worker: a model runner that is driven by messages. */
const parent = parentThread<Answer, Request>();
const cancellations = new Map<number, AbortController>();
let runner: ModelRunner | undefined;

parent.onMessage((request) => {
  if (request.type === 'start') {
    const onProgress = (progress: Extract<Answer, { type: 'progress' }>['progress']): void => {
      parent.post({ type: 'progress', progress });
    };
    runner = createModelRunner({ ...request.options, onProgress });
    return;
  }
  if (request.type === 'cancel') {
    cancellations.get(request.number)?.abort(new Error('cancelled'));
    return;
  }
  void answer(request.number, request);
});

async function answer(
  number: number,
  request: Exclude<Request, { type: 'start' | 'cancel' }>,
): Promise<void> {
  try {
    const embeddings = request.type === 'embed' ? await embed(request) : [];
    if (request.type === 'ready') await runner?.ready();
    if (request.type === 'close') await runner?.close();
    const transfer = embeddings.map(({ vector }) => vector.buffer as ArrayBuffer);
    parent.post({ type: 'done', number, embeddings }, transfer);
  } catch (error) {
    parent.post({ type: 'failed', number, error: toSentError(error) });
  } finally {
    cancellations.delete(number);
  }
}

async function embed({
  number,
  texts,
  boundaries,
}: Extract<Request, { type: 'embed' }>): ReturnType<ModelRunner['embed']> {
  const cancellation = new AbortController();
  cancellations.set(number, cancellation);
  const { signal } = cancellation;
  return runner?.embed(texts, boundaries === undefined ? { signal } : { signal, boundaries }) ?? [];
}
