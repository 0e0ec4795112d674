/** Keeps a value for everything that a function starts, also later. */
export interface AsyncScope<Value> {
  run<Result>(value: Value, run: () => Result): Result;
  current(): Value | undefined;
}

/** By AsyncLocalStorage; where there is none, such as in browsers, nothing is ever current. */
export function createAsyncScope<Value>(): AsyncScope<Value> {
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks');
  if (hooks === undefined) return { run: (_, run) => run(), current: () => undefined };
  const storage = new hooks.AsyncLocalStorage<Value>();
  return {
    run: (value, run) => storage.run(value, run),
    current: () => storage.getStore(),
  };
}
