import type { Thread } from '../thread.ts';

interface NodePort {
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
  on(event: 'message', receive: (message: unknown) => void): void;
}

interface WebScope {
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
  addEventListener(event: 'message', receive: (event: MessageEvent) => void): void;
}

interface ProcessLike {
  getBuiltinModule?(name: string): unknown;
}

/** The thread that started this one, seen from inside a worker. */
export function parentThread<Sent, Received>(): Pick<Thread<Sent, Received>, 'post' | 'onMessage'> {
  const { self, process } = globalThis as { self?: Partial<WebScope>; process?: ProcessLike };
  if (typeof self?.postMessage === 'function') {
    const scope = self as WebScope;
    return {
      post: (message, transfer = []) => scope.postMessage(message, transfer),
      onMessage: (receive) => {
        scope.addEventListener('message', ({ data }) => receive(data as Received));
      },
    };
  }
  const { parentPort } = (process?.getBuiltinModule?.('node:worker_threads') ?? {}) as {
    parentPort?: NodePort | null;
  };
  if (!parentPort) throw new Error('expected to run in a worker');
  return {
    post: (message, transfer) => parentPort.postMessage(message, transfer),
    onMessage: (receive) => parentPort.on('message', (message) => receive(message as Received)),
  };
}
