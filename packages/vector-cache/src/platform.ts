/** What this package uses of Node's and Bun's own modules. */
interface BuiltinModules {
  'node:worker_threads': { Worker: new (source: string, options: { eval: true }) => NodeWorker };
  'node:os': { availableParallelism(): number };
  'node:zlib': { crc32?(bytes: Uint8Array): number };
}

/** What this package uses of a worker of Node or Bun. */
interface NodeWorker {
  on(event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): void;
  postMessage(message: unknown): void;
  terminate(): unknown;
}

interface Process {
  getBuiltinModule?<T extends keyof BuiltinModules>(name: T): BuiltinModules[T] | undefined;
}

/** A module of Node or Bun; undefined elsewhere, and where they are too old to hand it out. */
export function builtinModule<T extends keyof BuiltinModules>(
  name: T,
): BuiltinModules[T] | undefined {
  // Not by an import, which would make bundlers for browsers stumble.
  return (globalThis as { process?: Process }).process?.getBuiltinModule?.(name);
}

/** Processors that there are, as far as the platform tells. */
export function availableThreads(): number {
  const os = builtinModule('node:os');
  return os?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 1;
}
