import { Allocator } from './allocator.ts';
import { createKernel, isKernelSupported, type Kernel } from './kernel.ts';
import { paddedLength } from './vector-input.ts';

/** Memory for the vector being loaded; see `assembly/workspace.ts`. */
export interface Workspace {
  readonly start: number;
  readonly length: number;
  /** Address of {@link WORKSPACE_HITS} hits. */
  readonly hits: number;
  input: Float64Array;
  singleInput: Float32Array;
  unit: Float32Array;
}

type WorkspaceViews = Pick<Workspace, 'input' | 'singleInput' | 'unit'>;

/** Number of hits in a workspace. */
export const WORKSPACE_HITS = 64;
/** Bytes of a hit: its position and its similarity. */
export const HIT_BYTES = 8;

const PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;
// Lower addresses stay unused: 0 means none, and the compiler may place constants there.
const FIRST_ADDRESS = 1024;
// A larger cache moves to its own arena, which is freed with it. Smaller caches share an arena,
// because with more than about eight live memories, engines slow down every access to all of them.
const SHARED_BYTES_MAX = 16 * 2 ** 20;
// A small empty arena is kept for the next cache.
const KEPT_BYTES_MAX = 2 ** 20;

let shared: Arena | undefined;

/**
 * Returns the arena for a cache of `bytes`; the current one if memory is refused.
 *
 * @returns undefined if there is no current arena, and no kernel or no memory.
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

/** Releases an empty arena, so that its memory returns to the system. */
export function releaseArena(arena: Arena): void {
  if (arena === shared && arena.isEmpty && arena.bytes > KEPT_BYTES_MAX) shared = undefined;
}

/** Bytes of the shared arena, for tests. */
export function sharedBytes(): number {
  return shared?.bytes ?? 0;
}

/** A WebAssembly memory with a kernel, which allocates it to the caches that share it. */
export class Arena {
  readonly kernel: Kernel;
  readonly #memory: WebAssembly.Memory;
  // The last page stays unused, so that the end of every span is a 32-bit number.
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

  /** Size of the memory. */
  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Whether no cache has rows here. */
  get isEmpty(): boolean {
    return this.#allocator.used === this.#workspaceBytes;
  }

  /** @returns the address; undefined if there is no room. */
  allocate(bytes: number): number | undefined {
    return this.#allocator.allocate(bytes);
  }

  free(start: number, bytes: number): void {
    this.#allocator.free(start, bytes);
  }

  /** Returns a view of bytes, valid until the next `allocate`. */
  bytesAt(start: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, start, length);
  }

  floatsAt(start: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, start, length);
  }

  /** The workspace for vectors of that many dimensions; undefined if there is no room. */
  workspace(dimensions: number): Workspace | undefined {
    return this.#workspaces.get(dimensions) ?? this.#createWorkspace(dimensions);
  }

  /**
   * Passes the workspace to the kernel and creates its views, which are valid until the memory
   * grows.
   */
  bind(workspace: Workspace): void {
    // Growth of the memory detaches the views.
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
    // Only components of vectors are written to the inputs, so the padding stays zero.
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
    // Grows by an eighth, because V8 collects garbage at each growth and untouched pages take no
    // memory. If that is refused, a smaller growth may still succeed.
    const ample = Math.ceil(Math.max(missing, this.bytes / PAGE_BYTES / 8));
    return this.#growBy(ample) || (ample > missing && this.#growBy(missing));
  }

  #growBy(pages: number): boolean {
    return unlessRefused(() => this.#memory.grow(pages)) !== undefined;
  }
}

/** Undefined if there is no kernel or no memory. */
function createArena(): Arena | undefined {
  if (!isKernelSupported()) return undefined;
  // An engine reserves gigabytes of address space per memory, which the system may refuse.
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
 * Random signs times the scale of the Hadamard transform of each coordinate: `length` factors for the
 * first transform, of the last `block` coordinates, then `block` factors for the second.
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
