import type { Embedder, NodeWorkerLike, TransformersLibrary } from '../src/index.ts';
import {
  createStaticEmbedder,
  createTransformersEmbedder,
  withEmbeddingCache,
} from '../src/index.ts';

// Makes every part of an embedder fail while its callers wait, after they have stopped waiting, or
// while they close it. A rejected promise without a listener would end the process.
for (const event of ['unhandledRejection', 'uncaughtException']) {
  process.on(event, (error) => {
    console.log(event, error);
    process.exit(1);
  });
}

const failure = new Error('injected');
const fail = (): Promise<never> => Promise.reject(failure);
const failSoon = async (): Promise<never> => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  throw failure;
};
const throwNow = (): never => {
  throw failure;
};

/** Calls every method of an embedder and waits for all of its promises. */
async function use(embedder: Embedder): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const calls = [
    embedder.ready?.(),
    embedder.embed(['a']),
    embedder.embed(['a', 'b']),
    embedder.embed(['a'], { signal }),
    embedder.embed(['c'], { signal }),
  ];
  controller.abort(new Error('aborted'));
  const closing = [embedder.close?.(), embedder.close?.()];
  await Promise.allSettled([...calls, ...closing]);
  await Promise.allSettled([embedder.embed(['d']), embedder.ready?.()]);
}

const own = (embed: unknown): Embedder => ({
  ...{ id: 'own', dimensions: 1, embed: embed as Embedder['embed'] },
  ...{ ready: fail, close: fail },
});
for (const embed of [fail, failSoon, throwNow, () => [], () => undefined]) {
  await use(withEmbeddingCache(own(embed)));
}

for (const transformers of [fail, failSoon, throwNow]) {
  await use(createTransformersEmbedder({ transformers }));
  await use(createTransformersEmbedder({ transformers, cache: false }));
}
const env = { fetch: failSoon, remoteHost: 'https://no.example', remotePathTemplate: '{model}' };
const library = { env: { ...env, cacheDir: '/nowhere' } } as unknown as TransformersLibrary;
const onDownload = (): void => undefined;
await use(createTransformersEmbedder({ transformers: library, onDownload }));

/** A worker that fails as `faults` specifies and does not answer otherwise. */
const workerOf = (faults: Partial<NodeWorkerLike>, event?: string) => (): NodeWorkerLike => ({
  postMessage: () => undefined,
  on: (name, receive) => void (name === event && setTimeout(() => receive(failure), 1)),
  ref: () => undefined,
  unref: () => undefined,
  terminate: fail,
  ...faults,
});
const onlyStarts = (message: unknown): void => {
  if (Reflect.get(Object(message), 'type') !== 'start') throw failure;
};
for (const worker of [
  throwNow,
  workerOf({ postMessage: throwNow }),
  workerOf({ postMessage: onlyStarts }),
  workerOf({ on: throwNow }),
  workerOf({}, 'error'),
  workerOf({}, 'messageerror'),
  workerOf({}, 'exit'),
  workerOf({ terminate: throwNow }, 'error'),
]) {
  await use(createTransformersEmbedder({ worker }));
}

const files = { model: new Uint8Array(9), tokenizer: '{' };
for (const tokenizers of [fail, failSoon, throwNow]) {
  await use(createStaticEmbedder({ files, name: 'own', dimensions: 1, tokenizers }));
}
await use(createStaticEmbedder({ path: 'https://127.0.0.1:1/', dimensions: 1, name: 'own' }));

// Rejections are reported after the current task.
await new Promise((resolve) => setTimeout(resolve, 20));
console.log('no rejection without a listener');
process.exit(0);
