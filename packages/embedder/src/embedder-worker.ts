import { createModelRunner } from './transformers/model-runner.ts';
import type { ModelRunner } from './transformers/runner-embedder.ts';
import { parentThread } from './transformers/thread.ts';
import { type Answer, type Call, type Request, toSentError } from './worker/messages.ts';

/** The program of the worker: a model runner that is driven by messages. */
const parent = parentThread<Answer, Request>();
const cancellations = new Map<number, AbortController>();
let runner: ModelRunner | undefined;

parent.onMessage((request) => {
  if (request.type === 'cancel') {
    cancellations.get(request.cancelled)?.abort(new Error('cancelled'));
  } else if (request.type === 'start') {
    runner = createModelRunner({
      ...request.options,
      onDownload: (notice) => parent.post({ type: 'download', notice }),
      onProgress: (progress) => parent.post({ type: 'progress', progress }),
    });
  } else {
    void answer(request);
  }
});
parent.post({ type: 'started' });

async function answer(call: Call): Promise<void> {
  const { number } = call;
  try {
    const embeddings = call.type === 'embed' ? await embed(call) : [];
    if (call.type === 'ready') await runner?.ready();
    if (call.type === 'close') await runner?.close();
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
}: Extract<Call, { type: 'embed' }>): ReturnType<ModelRunner['embed']> {
  const cancellation = new AbortController();
  cancellations.set(number, cancellation);
  return runner?.embed(texts, { signal: cancellation.signal, boundaries }) ?? [];
}
