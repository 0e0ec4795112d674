import { compileKernel } from '@kp/testing/kernels';
import { TESTING_KERNEL } from '../scripts/kernels.ts';
import { rotationFactors } from '../src/arena.ts';

interface TestingKernel {
  bind(workspace: number, length: number): void;
  link(segment: number, next: number, rows: number, capacity: number): void;
  normalize(isSingle: boolean): number;
  append(segment: number, row: number, isFlat: boolean): void;
  beginBounds(segment: number, rows: number): void;
  writeBounds(level: number, first: number, to: number): void;
  rotatedPlace(): number;
}

const WORKSPACE = 65_536;
const OUTPUT = 1024;

/** A kernel whose bounds can be read: it accepts rows and returns the bounds of each query. */
export interface OpenKernel {
  /** The vector as stored: float32, of length 1. */
  unit(vector: ArrayLike<number>): Float32Array;
  rotate(vector: ArrayLike<number>): Float32Array;
  /** Returns the bounds of every row after 32, 128 and all coordinates. */
  bounds(rows: readonly ArrayLike<number>[], query: ArrayLike<number>): Float32Array[];
}

/** @param length - length of every vector, a multiple of 8, at least 64. */
export async function createOpenKernels(): Promise<(length: number) => OpenKernel> {
  const module = new WebAssembly.Module(await compileKernel(TESTING_KERNEL));
  return (length) => openKernel(module, length);
}

function openKernel(module: WebAssembly.Module, length: number): OpenKernel {
  const memory = new WebAssembly.Memory({ initial: 200, maximum: 65_536 });
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const kernel = exports as unknown as TestingKernel;
  const segment = WORKSPACE + length * 64 + 4096;
  const floats = (start: number, count: number) => new Float32Array(memory.buffer, start, count);
  floats(WORKSPACE + length * 29, length * 2).set(rotationFactors(length));
  kernel.bind(WORKSPACE, length);
  const load = (vector: ArrayLike<number>) => {
    new Float64Array(memory.buffer, WORKSPACE, length).set(vector);
    kernel.normalize(false);
  };
  const unit = (vector: ArrayLike<number>) => {
    load(vector);
    return floats(WORKSPACE + length * 12, length).slice();
  };
  const rotate = (vector: ArrayLike<number>) => {
    kernel.link(segment, segment, 16, 16);
    load(vector);
    kernel.append(segment, 0, false);
    return floats(kernel.rotatedPlace(), length).slice();
  };
  const bounds = (rows: readonly ArrayLike<number>[], query: ArrayLike<number>) => {
    const capacity = Math.ceil(rows.length / 16) * 16;
    kernel.link(segment, segment, rows.length, capacity);
    for (const [index, row] of rows.entries()) {
      load(row);
      kernel.append(segment, index, false);
    }
    load(query);
    kernel.beginBounds(segment, rows.length);
    return [0, 1, 2].map((level) => {
      const result = new Float32Array(capacity);
      for (let first = 0; first < rows.length; first += 16) {
        kernel.writeBounds(level, first, OUTPUT);
        result.set(floats(OUTPUT, 16), first);
      }
      return result.slice(0, rows.length);
    });
  };
  return { unit, rotate, bounds };
}
