import { expect, it } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { VectorCache } from './index.ts';

const INDEX = fileURLToPath(new URL('./index.ts', import.meta.url));

// Uses another process, whose memory contains only these caches.
const SCRIPT = `
  const { VectorCache } = await import(${JSON.stringify(INDEX)});
  const vector = Float32Array.from({ length: 384 }, (_, index) => Math.sin(index));
  const before = process.memoryUsage.rss();
  const caches = Array.from({ length: 50_000 }, () => {
    const cache = new VectorCache();
    cache.add(vector);
    return cache;
  });
  const found = caches.filter((cache) => cache.hasSimilar(vector, 1)).length;
  console.log(found, Math.ceil((process.memoryUsage.rss() - before) / 2 ** 20));
`;

it('50,000 caches of one vector of 384 dimensions take less than 400 MB', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', SCRIPT]);
  expect(stderr.toString()).toBe('');
  const [found, megabytes] = stdout.toString().split(' ').map(Number);
  expect(found).toBe(50_000);
  expect(megabytes).toBeLessThan(400);
}, 60_000);

it('returns the same results before and after it leaves the JavaScript heap', () => {
  const key = fc.nat(9).map(String);
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ add: fc.array(fc.nat(9), { minLength: 3, maxLength: 3 }), key }),
    },
    { weight: 1, arbitrary: fc.record({ delete: key }) },
    { weight: 1, arbitrary: fc.record({ wait: fc.nat(9) }) },
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (steps, most) => {
        let time = 0;
        const options = { dimensions: 3, maxElements: most, ttlMs: 20, now: () => time };
        const cache = new VectorCache(options);
        const others = (['wasm-simd', 'typescript'] as const).map(
          (engine) => new VectorCache({ ...options, engine }),
        );
        for (const each of steps) {
          if ('wait' in each) time += each.wait;
          for (const one of [cache, ...others]) {
            if ('add' in each) one.add(each.add, each.key);
            if ('delete' in each) one.delete(each.delete);
          }
          const found = cache.search([3, 1, 4], 9);
          for (const other of others) expect(other.search([3, 1, 4], 9)).toEqual(found);
        }
      },
    ),
  );
});
