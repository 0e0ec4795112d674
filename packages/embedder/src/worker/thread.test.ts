import { afterEach, describe, expect, it, spyOn } from 'bun:test';
import { type NodeWorkerLike, startThread } from './thread.ts';

/** A worker of Node as far as a thread uses it, which notes what is asked of it. */
function nodeWorker() {
  const asked: unknown[] = [];
  const listeners = new Map<string, (value: unknown) => void>();
  const worker: NodeWorkerLike = {
    postMessage: (...sent) => void asked.push(['post', ...sent]),
    on: (event, receive) => listeners.set(event, receive),
    ref: () => void asked.push('ref'),
    unref: () => void asked.push('unref'),
    terminate: async () => void asked.push('terminate'),
  };
  return { asked, worker, emit: (event: string, value?: unknown) => listeners.get(event)?.(value) };
}

describe('a thread that is a worker of Node', () => {
  it('passes on what is sent, said and asked of it', () => {
    const { asked, worker, emit } = nodeWorker();
    const thread = startThread<unknown, unknown>(() => worker);
    const heard: unknown[] = [];
    thread.onMessage((message) => heard.push(message));
    emit('message', 'hello');
    const buffer = new ArrayBuffer(1);
    thread.post('go', [buffer]);
    thread.keepAlive(true);
    thread.keepAlive(false);
    thread.terminate();
    expect(heard).toEqual(['hello']);
    expect(asked).toEqual([['post', 'go', [buffer]], 'ref', 'unref', 'terminate']);
  });

  it('fails by an error, by a message that cannot be read, and by its end', () => {
    const { worker, emit } = nodeWorker();
    const thread = startThread(() => worker);
    const causes: unknown[] = [];
    thread.onFailure((cause) => causes.push(cause));
    emit('error', 'out of memory');
    emit('messageerror', 'unreadable');
    emit('exit', 1);
    expect(causes).toEqual(['out of memory', 'unreadable', new Error('the worker has ended')]);
  });
});

describe('a thread without Web Workers', () => {
  const { Worker } = globalThis;
  const module = process.getBuiltinModule;
  afterEach(() => {
    Object.assign(globalThis, { Worker });
    process.getBuiltinModule = module;
  });
  const startWith = (threads: unknown): unknown => {
    Reflect.deleteProperty(globalThis, 'Worker');
    spyOn(process, 'getBuiltinModule').mockReturnValue(threads as typeof import('node:fs'));
    return startThread();
  };

  it('is a worker of Node, started from the file beside it', () => {
    const started: string[] = [];
    class NodeWorker {
      constructor(file: URL) {
        started.push(file.pathname);
      }
    }
    startWith({ Worker: NodeWorker });
    expect(started).toEqual([expect.stringMatching(/worker/)]);
  });

  it('is refused where there are none of Node either', () => {
    expect(() => startWith(undefined)).toThrow('no workers in this runtime');
  });
});
