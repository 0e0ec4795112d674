import { decodeKernel } from '@kp/foundation';
import { KERNEL } from './kernel-bytes.ts';

/** The exports of `assembly/index.ts`; lengths are in values, addresses in bytes. */
export interface Kernel {
  /** Sets the workspace and the length for the following calls. */
  bind(workspace: number, length: number): void;
  /** Scales the input to length 1; returns the sum of its squares. */
  normalize(isSingle: boolean): number;
  /** Writes the head of a segment: the next one in the ring, its rows and its capacity. */
  link(segment: number, next: number, rows: number, capacity: number): void;
  append(segment: number, row: number, isFlat: boolean): void;
  /** Excludes a row from every search. */
  erase(segment: number, row: number, isFlat: boolean): void;
  /** Copies a row to the unit vector of the workspace. */
  take(segment: number, row: number): void;
  /**
   * Searches `size` rows from row `head` of the segment `first` on; with a `mask` other than 0, only
   * rows whose bit is set.
   */
  search(
    first: number,
    head: number,
    size: number,
    hits: number,
    k: number,
    floor: number,
    mask: number,
    isPlain: boolean,
    isFirstEnough: boolean,
  ): void;
  /**
   * Extra cost of the bounds in the last search that used them, as a share of a scan; negative if
   * they saved time.
   */
  loss(): number;
  hitCount(): number;
  positionOf(hit: number): number;
  similarityOf(hit: number): number;
}

// Compiled on first use, so that an import costs nothing. Null if it was refused.
let module: WebAssembly.Module | null | undefined;

/** Creates a kernel over `memory`. All kernels share one compiled module. */
export function createKernel(memory: WebAssembly.Memory): Kernel {
  const compiled = compiledModule() as WebAssembly.Module;
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Kernel;
}

/**
 * Whether WebAssembly with SIMD is available. An old engine, a content security policy, or a browser
 * that limits the size of modules on its main thread may refuse it.
 */
export function isKernelSupported(): boolean {
  return compiledModule() !== null;
}

function compiledModule(): WebAssembly.Module | null {
  if (module !== undefined) return module;
  try {
    module = new WebAssembly.Module(decodeKernel(KERNEL));
  } catch {
    // The TypeScript store takes over, and `VectorCache.engine` reports it.
    module = null;
  }
  return module;
}
