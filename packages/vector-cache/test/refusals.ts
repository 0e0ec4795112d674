/** Returns whether the growth with this number, from 0, is refused. */
export type Refusal = (growth: number) => boolean;

/**
 * Runs a function while growths of WebAssembly memories fail as on a full machine. A new memory
 * counts as a growth.
 *
 * @returns the number of requested growths.
 */
export function refusingMemory(isRefused: Refusal, action: () => void): number {
  let growths = 0;
  const ask = () => {
    if (isRefused(growths++)) throw new RangeError('WebAssembly.Memory: refused by the test');
  };
  const { Memory } = WebAssembly;
  const { grow } = Memory.prototype;
  Memory.prototype.grow = function (this: WebAssembly.Memory, pages) {
    ask();
    return grow.call(this, pages);
  };
  class Refusing extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      ask();
      super(descriptor);
    }
  }
  Object.assign(WebAssembly, { Memory: Refusing });
  try {
    action();
  } finally {
    Object.assign(WebAssembly, { Memory });
    Memory.prototype.grow = grow;
  }
  return growths;
}

/** Does the same for JavaScript arrays of at least `bytes`. */
export function refusingArrays(bytes: number, action: () => void): void {
  const originals = { Float32Array, Float64Array, Uint8Array };
  const refusing = <T extends typeof Float32Array | typeof Float64Array | typeof Uint8Array>(
    original: T,
  ) =>
    new Proxy(original, {
      construct(target, args, newTarget) {
        const [length] = args;
        if (typeof length === 'number' && length * target.BYTES_PER_ELEMENT >= bytes) {
          throw new RangeError('Array buffer allocation: refused by the test');
        }
        return Reflect.construct(target, args, newTarget) as object;
      },
    });
  Object.assign(globalThis, {
    Float32Array: refusing(originals.Float32Array),
    Float64Array: refusing(originals.Float64Array),
    Uint8Array: refusing(originals.Uint8Array),
  });
  try {
    action();
  } finally {
    Object.assign(globalThis, originals);
  }
}
