import { describe, expect, it } from 'bun:test';
import type { Kernel } from './kernel.ts';
import { WasmStore } from './wasm-store.ts';

/** A store in a separate arena, whose kernel records its calls and reports the given losses. */
function openStore(dimensions: number, rows: number, isFlat = false) {
  const state = { loss: 0, searches: '' };
  const { Instance } = WebAssembly;
  class Telling {
    constructor(module: WebAssembly.Module, imports: WebAssembly.Imports) {
      const kernel = new Instance(module, imports).exports as unknown as Kernel;
      const search: Kernel['search'] = (...args) => {
        state.searches += args[7] ? 'p' : 'b';
        kernel.search(...args);
      };
      Object.assign(this, { exports: { ...kernel, search, loss: () => state.loss } });
    }
  }
  Object.assign(WebAssembly, { Instance: Telling });
  let store: WasmStore;
  try {
    store = new WasmStore(dimensions, 1e6, isFlat);
    // More than the shared memory of caches.
    store.expect(Math.ceil(2 ** 25 / (dimensions * 4)));
  } finally {
    Object.assign(WebAssembly, { Instance });
  }
  for (let row = 0; row < rows; row++) {
    store.load('vector', vectorOf(dimensions, row));
    store.reserve();
    store.append(0);
  }
  /** One letter per search: p for a plain scan, b for a search with bounds. */
  const query = (losses: readonly number[]): string => {
    state.searches = '';
    for (const loss of losses) {
      state.loss = loss;
      store.load('query', vectorOf(dimensions, rows - 1));
      expect(store.nearest(-Infinity)?.position).toBe(rows - 1);
    }
    return state.searches;
  };
  return { store, query };
}

function vectorOf(dimensions: number, seed: number): Float32Array {
  return Float32Array.from({ length: dimensions }, (_, index) => Math.sin((seed + 1) * index + 1));
}

describe('the search of a WasmStore', () => {
  it.each([
    [4096, 7, false, 'p'],
    [4096, 8, false, 'b'],
    [4096, 8, true, 'p'],
    // 57 values take a row of 64, and 56 values a row of 56.
    [57, 511, false, 'p'],
    [57, 512, false, 'b'],
    [56, 600, false, 'p'],
  ])('with %d dimensions and %d rows, flat: %p, uses %s', (dimensions, rows, isFlat, expected) => {
    const { store, query } = openStore(dimensions, rows, isFlat);
    expect(query([-1])).toBe(expected);
    store.clear();
  });

  it('skips the bounds for increasing periods while they do not pay off', () => {
    const { store, query } = openStore(4096, 8);
    const runs = query(new Array(250).fill(1)).split('b');
    expect(runs.map(({ length }) => length)).toEqual([0, 8, 16, 32, 64, 64, 60]);
    store.clear();
  });
});
