import { EmbedderClosedError } from '../embedder-closed-error.ts';
import { retryingLoad } from '../retrying-load.ts';
import { withSignal } from '../with-signal.ts';
import { embedTexts } from './embed-texts.ts';
import { type LoadedModel, loadModel } from './load-model.ts';
import type { ModelRunner } from './model-runner.ts';
import { embedderId, embedPlan, modelPlan } from './plans.ts';
import type { TransformersEmbedderOptions } from './transformers-embedder-options.ts';
import { importTransformers, type TransformersLibrary } from './transformers-library.ts';

/** Loads and runs a model in this thread. Calls are worked off in order, one after the other. */
export function createModelRunner(options: TransformersEmbedderOptions): ModelRunner {
  const closing = new AbortController();
  const plan = modelPlan(options, closing.signal);
  const embedding = embedPlan(options);
  const id = embedderId(plan, embedding);
  const load = retryingLoad(async () => loadModel(await library(options), plan), options.retry);
  let loading: Promise<LoadedModel> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const loadedModel = (): Promise<LoadedModel> => {
    if (closing.signal.aborted) return Promise.reject(new EmbedderClosedError(id));
    loading = load();
    return loading;
  };

  return {
    ready: async () => void (await loadedModel()),
    embed: (texts, embedOptions) => {
      const copy = [...texts];
      const result = queue.then(async () => {
        embedOptions.signal?.throwIfAborted();
        return embedTexts(await loadedModel(), copy, embedding, embedOptions);
      });
      queue = result.catch(() => undefined);
      return withSignal(result, embedOptions.signal);
    },
    close: async () => {
      closing.abort(new EmbedderClosedError(id));
      await queue;
      const loaded = await loading?.catch(() => undefined);
      await loaded?.model.dispose();
    },
  };
}

function library(options: TransformersEmbedderOptions): Promise<TransformersLibrary> {
  if (options.transformers === undefined) return importTransformers();
  return typeof options.transformers === 'function'
    ? options.transformers()
    : Promise.resolve(options.transformers);
}
