import { Allocator } from './allocator.ts';
import { OutOfMemoryError } from './errors.ts';
import { createKernel, type Kernel } from './kernel.ts';
import { rotationFactors } from './rotation-factors.ts';
import { paddedLength } from './unit-vector.ts';

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

/** A WebAssembly memory with a kernel over it, parcelled out to the caches that share it. */
export class Arena {
  readonly kernel: Kernel;
  readonly #memory: WebAssembly.Memory;
  // The last page stays out of reach, so that the end of every place is a 32-bit number.
  readonly #allocator = new Allocator(FIRST_ADDRESS, (MAX_PAGES - 1) * PAGE_BYTES);
  readonly #workspaces = new Map<number, Workspace>();
  #workspaceBytes = 0;
  #bound: Workspace | undefined;

  /** @throws when there is no kernel or no memory to be had. */
  constructor() {
    this.#memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES });
    const kernel = createKernel(this.#memory);
    if (kernel === undefined) throw new TypeError('WebAssembly SIMD: not supported here');
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
    const start = this.#allocator.allocate(bytes);
    if (start === undefined) return undefined;
    if (this.#grow(this.#allocator.end)) return start;
    this.#allocator.free(start, bytes);
    return undefined;
  }

  free(start: number, bytes: number): void {
    this.#allocator.free(start, bytes);
  }

  /** Copies bytes of another arena in. */
  copyFrom(source: Arena, from: number, bytes: number, to: number): void {
    const copied = new Uint8Array(source.#memory.buffer, from, bytes);
    new Uint8Array(this.#memory.buffer, to, bytes).set(copied);
  }

  /** A view of `length` float32 values; of no use after the next `allocate`. */
  floats(start: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, start, length);
  }

  /** The workspace for vectors of so many dimensions. */
  workspace(dimensions: number): Workspace {
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

  #createWorkspace(dimensions: number): Workspace {
    const length = paddedLength(dimensions);
    const hitsOffset = length * 37 + 80;
    const bytes = hitsOffset + WORKSPACE_HITS * HIT_BYTES;
    const start = this.allocate(bytes);
    if (start === undefined) throw new OutOfMemoryError(0);
    this.#workspaceBytes += Math.ceil(bytes / 64) * 64;
    // Only components of vectors are ever written to the inputs: the padding stays zero.
    new Uint8Array(this.#memory.buffer, start, bytes).fill(0);
    this.floats(start + length * 29, length * 2).set(rotationFactors(length));
    const place = { start, length, hits: start + hitsOffset };
    const workspace = { ...place, ...this.#views(place) };
    this.#workspaces.set(dimensions, workspace);
    return workspace;
  }

  #views({ start, length }: Pick<Workspace, 'start' | 'length'>): WorkspaceViews {
    return {
      input: new Float64Array(this.#memory.buffer, start, length),
      singleInput: this.floats(start + length * 8, length),
      unit: this.floats(start + length * 12, length),
    };
  }

  #grow(end: number): boolean {
    const missing = Math.ceil((end - this.bytes) / PAGE_BYTES);
    if (missing <= 0) return true;
    try {
      this.#memory.grow(missing);
      return true;
    } catch (cause) {
      if (cause instanceof RangeError) return false;
      throw cause;
    }
  }
}
