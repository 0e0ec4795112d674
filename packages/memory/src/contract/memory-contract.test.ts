import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NoveltyMemory } from '@kp/scoring';
import { VectorCache } from '@kp/vector-cache';
import { openSqliteMemory } from '../sqlite/open-sqlite-memory.ts';
import {
  basicMemoryContract,
  type ContractRule,
  checkMemoryContract,
  type MakeMemory,
  sharedMemoryContract,
} from './index.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-contract-'));
});
afterAll(() => rm(folder, { recursive: true }));

function keeps(name: string, rules: readonly ContractRule[], makeMemory: MakeMemory): void {
  describe(`the contract: ${name}`, () => {
    for (const { title, check } of rules) it(title, () => check(makeMemory));
  });
}

const cacheOf: MakeMemory = ({ dimensions, maxElements, embedderId }) =>
  new VectorCache({ dimensions, maxElements, embedderId });

keeps('VectorCache', basicMemoryContract, cacheOf);
keeps('SQLite, one file a store', sharedMemoryContract, (wanted) => {
  const { name, maxElements, embedderId: id, dimensions } = wanted;
  const path = join(folder, `${name}.db`);
  return openSqliteMemory(path, { embedder: { id, dimensions }, maxElements });
});
keeps('SQLite, one file with namespaces, FULL', sharedMemoryContract, (wanted) => {
  const { name: namespace, maxElements, embedderId: id, dimensions } = wanted;
  const path = join(folder, 'all.db');
  const options = { embedder: { id, dimensions }, maxElements, namespace };
  return openSqliteMemory(path, { ...options, synchronous: 'full' });
});

describe('the contract finds', () => {
  const broken = (change: (cache: VectorCache) => Partial<NoveltyMemory>): Promise<unknown> =>
    checkMemoryContract(basicMemoryContract, async (wanted) => {
      const cache = (await cacheOf(wanted)) as VectorCache;
      return {
        get size() {
          return cache.size;
        },
        nearest: (vector) => cache.nearest(vector),
        add: (vector, key) => cache.add(vector, key),
        ...change(cache),
      };
    }).then(
      () => 'kept',
      (error: Error) => error.message,
    );

  it('nothing to say against a good memory', async () => {
    expect(await broken(() => ({}))).toBe('kept');
  });

  it.each<[string, string, (cache: VectorCache) => Partial<NoveltyMemory>]>([
    [
      'the newest given for the nearest',
      'answers the most similar of all',
      (cache) => {
        let latest = '';
        return {
          add(vector, key) {
            latest = key;
            cache.add(vector, key);
          },
          nearest: (vector) => cache.nearest(vector) && { key: latest, similarity: 1 },
        };
      },
    ],
    [
      'what is added late',
      'keeps a copy of the vector',
      (cache) => ({ add: (vector, key) => Promise.resolve().then(() => cache.add(vector, key)) }),
    ],
    [
      'vectors that are cut to fit',
      'refuses vectors of another length',
      (cache) => ({
        add: (vector, key) =>
          cache.add(
            Float32Array.from({ length: 8 }, (_, i) => vector[i] ?? 0),
            key,
          ),
      }),
    ],
    [
      'lost entries',
      'a size of 60',
      (cache) => ({ add: (v, key) => (key === 'trace 7' ? undefined : cache.add(v, key)) }),
    ],
  ])('%s', async (_, message, change) => {
    expect(await broken(change)).toContain(message);
  });
});
