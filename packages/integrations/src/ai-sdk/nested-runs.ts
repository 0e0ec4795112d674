/** Keeps a value for everything that a function starts, also later. */
export interface AsyncScope<Value> {
  run<Result>(value: Value, run: () => Result): Result;
  current(): Value | undefined;
}

/** What is used of AsyncLocalStorage, which only server runtimes have. */
interface Storage<Value> {
  run<Result>(value: Value, run: () => Result): Result;
  getStore(): Value | undefined;
}

interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: 'node:async_hooks'): {
      readonly AsyncLocalStorage: new <Value>() => Storage<Value>;
    };
  };
}

/** By AsyncLocalStorage; where there is none, such as in browsers, nothing is ever current. */
export function createAsyncScope<Value>(): AsyncScope<Value> {
  const hooks = (globalThis as Runtime).process?.getBuiltinModule?.('node:async_hooks');
  if (hooks === undefined) return { run: (_, run) => run(), current: () => undefined };
  const storage = new hooks.AsyncLocalStorage<Value>();
  return {
    run: (value, run) => storage.run(value, run),
    current: () => storage.getStore(),
  };
}
