/** Makes a value available to everything that a function starts, including later async work. */
export interface AsyncScope<Value> {
  run<Result>(value: Value, run: () => Result): Result;
  current(): Value | undefined;
}

/** The part of AsyncLocalStorage in use. Only server runtimes provide it. */
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

/** Uses AsyncLocalStorage. Without it, such as in browsers, there is never a current value. */
export function createAsyncScope<Value>(): AsyncScope<Value> {
  const hooks = (globalThis as Runtime).process?.getBuiltinModule?.('node:async_hooks');
  if (hooks === undefined) return { run: (_, run) => run(), current: () => undefined };
  const storage = new hooks.AsyncLocalStorage<Value>();
  return {
    run: (value, run) => storage.run(value, run),
    current: () => storage.getStore(),
  };
}
