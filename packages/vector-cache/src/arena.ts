import { Allocator } from './allocator.ts';
import { createKernel, isKernelSupported, type Kernel } from './kernel.ts';
import { paddedLength } from './vector-input.ts';

/** The part of memory where vectors come in; see `assembly/workspace.ts`. */
export interface Workspace {
  readonly start: number;
  readonly length: number;
  /** Address of room for {@link WORKSPACE_HITS} hits. */
  readonly hits: number;
  input: Float64Array;
  singleInput: Float32Array;
  unit: Float32Array;
}

type WorkspaceViews = Pick<Workspace, 'input' | 'singleInput' | 'unit'>;

/** Hits a workspace has room for. */
export const WORKSPACE_HITS = 64;
/** Bytes of a hit: its position and its similarity. */
export const HIT_BYTES = 8;

const PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;
// Addresses under it stay unused: 0 is no place, and the compiler may keep constants there.
const FIRST_ADDRESS = 1024;
// Beyond it a cache moves to an arena of its own, which goes with it. Below it caches share one:
// from about the ninth live memory on, engines slow down every access to all of them.
const SHARED_BYTES_MAX = 16 * 2 ** 20;
// An arena that is empty and small is kept: the next cache will want it.
const KEPT_BYTES_MAX = 2 ** 20;

let shared: Arena | undefined;

/**
 * The arena for a cache that will hold `bytes`, given the one it has. Where memory for one of its
 * own is refused, it stays.
 *
 * @returns undefined when it has none and none can be had: no kernel, or no memory.
 */
export function chooseArena(bytes: number, current: Arena | undefined): Arena | undefined {
  if (bytes > SHARED_BYTES_MAX && (current === undefined || current === shared)) {
    const own = createArena();
    if (own !== undefined) return own;
  }
  if (current !== undefined) return current;
  shared ??= createArena();
  return shared;
}

/** Lets go of an arena in which nothing is left, so that its memory returns to the system. */
export function releaseArena(arena: Arena): void {
  if (arena === shared && arena.isEmpty && arena.bytes > KEPT_BYTES_MAX) shared = undefined;
}

/** Bytes of the shared arena, for tests of what comes back. */
export function sharedBytes(): number {
  return shared?.bytes ?? 0;
}

/** A WebAssembly memory with a kernel over it, parcelled out to the caches that share it. */
export class Arena {
  readonly kernel: Kernel;
  readonly #memory: WebAssembly.Memory;
  // The last page stays out of reach, so that the end of every place is a 32-bit number.
  readonly #allocator = new Allocator(FIRST_ADDRESS, (MAX_PAGES - 1) * PAGE_BYTES, (end) =>
    this.#grow(end),
  );
  readonly #workspaces = new Map<number, Workspace>();
  #workspaceBytes = 0;
  #bound: Workspace | undefined;

  constructor(memory: WebAssembly.Memory, kernel: Kernel) {
    this.#memory = memory;
    this.kernel = kernel;
  }

  /** Bytes of memory taken from the system. */
  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Whether no cache has anything here. */
  get isEmpty(): boolean {
    return this.#allocator.used === this.#workspaceBytes;
  }

  /** @returns the address of fresh or reused bytes; undefined when there is no room. */
  allocate(bytes: number): number | undefined {
    return this.#allocator.allocate(bytes);
  }

  free(start: number, bytes: number): void {
    this.#allocator.free(start, bytes);
  }

  /** Views of bytes; of no use after the next `allocate`. */
  bytesAt(start: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, start, length);
  }

  floatsAt(start: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, start, length);
  }

  /** The workspace for vectors of so many dimensions; undefined when there is no room for it. */
  workspace(dimensions: number): Workspace | undefined {
    return this.#workspaces.get(dimensions) ?? this.#createWorkspace(dimensions);
  }

  /** Makes the kernel work with `workspace`, and its views fit for use until the memory grows. */
  bind(workspace: Workspace): void {
    // A memory that grew has detached its views.
    if (workspace.input.length === 0) Object.assign(workspace, this.#views(workspace));
    if (this.#bound === workspace) return;
    this.kernel.bind(workspace.start, workspace.length);
    this.#bound = workspace;
  }

  #createWorkspace(dimensions: number): Workspace | undefined {
    const length = paddedLength(dimensions);
    const hitsOffset = length * 37 + 80;
    const bytes = hitsOffset + WORKSPACE_HITS * HIT_BYTES;
    const start = this.allocate(bytes);
    if (start === undefined) return undefined;
    this.#workspaceBytes += Math.ceil(bytes / 64) * 64;
    // Only components of vectors are ever written to the inputs: the padding stays zero.
    this.bytesAt(start, bytes).fill(0);
    this.floatsAt(start + length * 29, length * 2).set(rotationFactors(length));
    const place = { start, length, hits: start + hitsOffset };
    const workspace = { ...place, ...this.#views(place) };
    this.#workspaces.set(dimensions, workspace);
    return workspace;
  }

  #views({ start, length }: Pick<Workspace, 'start' | 'length'>): WorkspaceViews {
    return {
      input: new Float64Array(this.#memory.buffer, start, length),
      singleInput: this.floatsAt(start + length * 8, length),
      unit: this.floatsAt(start + length * 12, length),
    };
  }

  #grow(end: number): boolean {
    const missing = Math.ceil((end - this.bytes) / PAGE_BYTES);
    if (missing <= 0) return true;
    // An eighth more at once: V8 collects garbage at each growth, and what is never touched takes no
    // memory. Where that is refused, what is needed may not be.
    const ample = Math.ceil(Math.max(missing, this.bytes / PAGE_BYTES / 8));
    return this.#growBy(ample) || (ample > missing && this.#growBy(missing));
  }

  #growBy(pages: number): boolean {
    return unlessRefused(() => this.#memory.grow(pages)) !== undefined;
  }
}

/** Undefined where there is no kernel, or no memory to be had. */
function createArena(): Arena | undefined {
  if (!isKernelSupported()) return undefined;
  // An engine reserves gigabytes of addresses for each memory, which the system may refuse.
  return unlessRefused(() => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES });
    return new Arena(memory, createKernel(memory));
  });
}

function unlessRefused<T>(allocate: () => T): T | undefined {
  try {
    return allocate();
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/**
 * Signs, each times the scale of the Hadamard transform its coordinate goes through: `length` for
 * the first, which takes in the last `block` coordinates, then `block` for the second.
 */
export function rotationFactors(length: number): Float32Array {
  const block = 2 ** Math.floor(Math.log2(length));
  const scale = 1 / Math.sqrt(block);
  const factors = new Float32Array(length * 2);
  let state = 0x9e3779b9;
  for (let index = 0; index < length + block; index++) {
    // xorshift32 (Marsaglia 2003, "Xorshift RNGs", p. 4); its top bit decides the sign.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    factors[index] = (state < 0 ? -1 : 1) * (index >= length - block ? scale : 1);
  }
  return factors;
}
