import { KERNEL } from './kernel-bytes.ts';

/** What `assembly/index.ts` exports; lengths in values, places in bytes. */
export interface Kernel {
  /** Chooses the workspace, and with it the length, that all that follows works with. */
  bind(workspace: number, length: number): void;
  /** Scales the input to length 1; returns the sum of its squares. */
  normalize(isSingle: boolean): number;
  /** Writes the head of a segment: the next one in the ring, its rows, and its room for rows. */
  link(segment: number, next: number, rows: number, capacity: number): void;
  append(segment: number, row: number, isFlat: boolean): void;
  /** Makes a row similar to nothing. */
  erase(segment: number, row: number, isFlat: boolean): void;
  /** Copies a row to the unit vector of the workspace. */
  take(segment: number, row: number): void;
  /**
   * Looks at `size` rows from row `head` of the segment `first` on: with a `mask` that is not 0, at
   * those whose bit in it is set.
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
  /** What the bounds of the last search not plain cost, as a share of a scan; negative: saved. */
  loss(): number;
  hitCount(): number;
  positionOf(hit: number): number;
  similarityOf(hit: number): number;
}

// undefined: not tried yet; null: refused here. Made on first use, so that an import costs nothing.
let module: WebAssembly.Module | null | undefined;

/** Makes a kernel over `memory`, where it is supported. The compiled module is shared by all. */
export function createKernel(memory: WebAssembly.Memory): Kernel {
  const compiled = compiledModule() as WebAssembly.Module;
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Kernel;
}

/**
 * Whether {@link createKernel} can make a kernel here. Not where WebAssembly or its SIMD is refused:
 * by an old engine, by a content security policy, or by a browser that compiles nothing of this size
 * on its main thread.
 */
export function isKernelSupported(): boolean {
  return compiledModule() !== null;
}

function compiledModule(): WebAssembly.Module | null {
  if (module !== undefined) return module;
  try {
    module = new WebAssembly.Module(decodeKernel(KERNEL));
  } catch {
    // Whatever the reason, the plain store takes over and `VectorCache.engine` says so.
    module = null;
  }
  return module;
}

/**
 * The bytes of a kernel: a character from # on, without the apostrophe and the backslash, stands for
 * a byte from 253 on, which begins most instructions, round to 86; behind a space or ! for one of 90
 * or 180 more. Unlike base64 it leaves gzip the repetitions to find, which makes a third of the size
 * in a bundle.
 */
export function decodeKernel(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  let size = 0;
  let more = 253;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 35) {
      more += (code - 31) * 90;
      continue;
    }
    bytes[size++] = more + code - 35 - (code > 39 ? 1 : 0) - (code > 92 ? 1 : 0);
    more = 253;
  }
  return bytes.slice(0, size);
}
