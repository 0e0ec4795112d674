import type { StartFigures } from '../compare/fresh-rows.ts';
import { loadProduct } from '../compare/product.ts';
import { randomVectors } from '../inputs/random.ts';
import { financeTrace } from '../inputs/traces.ts';

// Words: the folder of a revision, and how many times each row is to be made slower or larger. Prints
// the figures of a process that starts to use the facade, or why it cannot.
const [root = '', words = '{}'] = process.argv.slice(2);
const slowDowns = JSON.parse(words) as Readonly<Record<string, number>>;
const kept: unknown[] = [];
// An object of two numbers and its place in a list, about.
const BYTES_OF_AN_ENTRY = 40;
try {
  console.log(JSON.stringify(await figuresOf()));
} catch (error) {
  console.log(JSON.stringify(error instanceof Error ? error.message : String(error)));
}
if (kept.length < 0) process.exitCode = 1;

async function figuresOf(): Promise<StartFigures> {
  const startedAt = performance.now();
  const { sdk } = await loadProduct(root, { sdk: ['createScorer', 'VectorCache'] });
  const imported = performance.now() - startedAt;
  const scoringFrom = performance.now();
  await sdk.createScorer({ embedder: null }).evaluate(financeTrace);
  const firstScore = imported + performance.now() - scoringFrom;
  const cache = new sdk.VectorCache({ maxElements: 1000 });
  const vectors = randomVectors(100, cache.dimensions, 4);
  for (let row = 0; row < 1000; row++) cache.add(vectors[row % 100] as Float32Array);
  kept.push(cache);
  Bun.gc(true);
  const { heapUsed: heap, rss: resident } = process.memoryUsage();
  const plain = {
    'import-facade': imported * 1e6,
    'first-score': firstScore * 1e6,
    heap,
    resident,
  };
  if (words === '{}') return { plain };
  grow('heap', heap);
  Bun.gc(true);
  const grownHeap = process.memoryUsage().heapUsed;
  const before = process.memoryUsage().rss;
  grow('resident', resident);
  const slowed = {
    'import-facade': slowedBy('import-facade', imported) * 1e6,
    'first-score': slowedBy('first-score', firstScore) * 1e6,
    heap: grownHeap,
    resident: resident + process.memoryUsage().rss - before,
  };
  return { plain, slowed };
}

/** Milliseconds that were taken, once busy work has made them as many times as long as wanted. */
function slowedBy(id: string, milliseconds: number): number {
  const startedAt = performance.now();
  const more = milliseconds * ((slowDowns[id] ?? 1) - 1);
  let now = startedAt;
  while (now < startedAt + more) now = performance.now();
  return milliseconds + now - startedAt;
}

/** Makes the memory as many times as large as wanted. */
function grow(id: string, bytes: number): void {
  const more = Math.round(bytes * ((slowDowns[id] ?? 1) - 1));
  if (more <= 0) return;
  if (id === 'resident') kept.push(Buffer.alloc(more, 1));
  else
    kept.push(
      Array.from({ length: more / BYTES_OF_AN_ENTRY }, (_, index) => ({ index, half: index / 2 })),
    );
}
