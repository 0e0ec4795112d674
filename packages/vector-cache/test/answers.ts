import { VectorCache } from '../src/index.ts';
import { createRandom } from './random.ts';
import { createVectorKinds } from './vector-kinds.ts';

/** The answers of one runtime: its engine, and exact similarities as text. */
export interface Answers {
  readonly engine: string;
  readonly found: string;
}

/** Fills a cache with the same data on every runtime and queries it. */
export function answers(engine?: 'wasm-simd' | 'typescript'): Answers {
  const kinds = createVectorKinds(createRandom(7));
  const cache = new VectorCache({ dimensions: 100, maxElements: 300, now: () => 0, engine });
  const lines: string[] = [];
  for (const kind of Object.values(kinds)) {
    // Six digits: runtimes may differ in the last bit of a sine or a logarithm.
    const make = (length: number) => kind(length).map((value) => Number(value.toPrecision(6)));
    for (let index = 0; index < 50; index++) cache.add(make(100), `${index}`);
    const query = make(100);
    lines.push(JSON.stringify([cache.search(query, 5), cache.hasSimilar(query, 0.5)]));
  }
  return { engine: cache.engine, found: lines.join('\n') };
}
