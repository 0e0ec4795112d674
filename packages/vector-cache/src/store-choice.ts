import { isArenaAvailable } from './arena-pool.ts';
import { InvalidValueError } from './errors.ts';
import { ScalarStore } from './scalar-store.ts';
import type { Engine, VectorStore } from './store.ts';
import { WasmStore } from './wasm-store.ts';

/**
 * The store for a cache: over the kernel where it works, else in plain TypeScript.
 *
 * @throws InvalidValueError when the kernel is asked for and does not work here.
 */
export function createStore(
  dimensions: number,
  maxElements: number,
  isFlat: boolean,
  engine: Engine | undefined,
): VectorStore {
  if (engine === 'typescript') return new ScalarStore(dimensions, maxElements);
  if (isArenaAvailable()) return new WasmStore(dimensions, maxElements, isFlat);
  if (engine === undefined) return new ScalarStore(dimensions, maxElements);
  throw new InvalidValueError('engine', 'typescript, as WebAssembly SIMD is refused here', engine);
}
