import { afterAll, beforeAll, describe, it } from 'bun:test';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { describeWith, pgvectorNeed, postgresNeed, redisNeed, valkeyNeed } from '@kp/testing/needs';
import { VectorCache } from '@kp/vector-cache';
import { programs } from '../../test/programs.ts';
import { startPostgres, startRedis, type TestServer } from '../../test/servers.ts';
import { fromVectorStore } from '../from-vector-store.ts';
import { openPostgresMemory } from '../postgres/open-postgres-memory.ts';
import { openRedisMemory } from '../redis/open-redis-memory.ts';
import { openSqliteMemory } from '../sqlite/open-sqlite-memory.ts';
import {
  basicMemoryContract,
  type ContractRule,
  type MakeMemory,
  sharedMemoryContract,
  type WantedMemory,
} from './index.ts';

const folder = useFolder('kp-contract-');

function keeps(name: string, rules: readonly ContractRule[], makeMemory: MakeMemory): void {
  describe(`the contract: ${name}`, () => {
    for (const { title, check } of rules) it(title, () => check(makeMemory));
  });
}

const cacheOf: MakeMemory = ({ dimensions, maxElements, embedderId }) =>
  new VectorCache({ dimensions, maxElements, embedderId });

keeps('VectorCache', basicMemoryContract, cacheOf);
const optionsOf = ({ name, maxElements, embedderId: id, dimensions }: WantedMemory) => ({
  namespace: name,
  maxElements,
  embedder: { id, dimensions },
  // Allows for a busy machine.
  timeoutMs: 30_000,
});

keeps('a vector store', basicMemoryContract, ({ dimensions, maxElements, embedderId: id }) => {
  const cache = new VectorCache({ dimensions, maxElements });
  const store = {
    query: (vector: Float32Array) => cache.nearest(vector),
    upsert(key: string, vector: Float32Array) {
      cache.delete(key);
      cache.add(vector, key);
    },
    count: () => cache.size,
  };
  return fromVectorStore(store, { embedder: { id, dimensions } });
});
keeps('SQLite, one file a store', sharedMemoryContract, (wanted) =>
  openSqliteMemory(join(folder, `${wanted.name}.db`), optionsOf(wanted)),
);
keeps('SQLite, one file with namespaces, FULL', sharedMemoryContract, (wanted) =>
  openSqliteMemory(join(folder, 'all.db'), { ...optionsOf(wanted), synchronous: 'full' }),
);

describeWith(postgresNeed, 'on a real Postgres', () => {
  let server: TestServer | undefined;
  const url = () => process.env.KP_POSTGRES_URL ?? server?.url ?? '';
  beforeAll(async () => {
    if (process.env.KP_POSTGRES_URL === undefined) server = await startPostgres();
  });
  afterAll(() => server?.remove());
  keeps('Postgres', sharedMemoryContract, (wanted) => openPostgresMemory(url(), optionsOf(wanted)));
});

describeWith(pgvectorNeed, 'on a real Postgres with pgvector', () => {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startPostgres([], programs.pgvector);
  });
  afterAll(() => server?.remove());
  keeps('Postgres, hnsw', sharedMemoryContract, (wanted) =>
    openPostgresMemory(`${server?.url}?index=hnsw`, optionsOf(wanted)),
  );
});

for (const [name, need, program, given] of [
  ['Redis', redisNeed, programs.redis, process.env.KP_REDIS_URL],
  ['Valkey', valkeyNeed, programs.valkey, undefined],
] as const) {
  describeWith(need, `on a real ${name}`, () => {
    let server: TestServer | undefined;
    const url = () => given ?? server?.url ?? '';
    beforeAll(async () => {
      if (given === undefined) server = await startRedis([], program);
    });
    afterAll(() => server?.remove());
    keeps(name, sharedMemoryContract, (wanted) => openRedisMemory(url(), optionsOf(wanted)));
  });
}
