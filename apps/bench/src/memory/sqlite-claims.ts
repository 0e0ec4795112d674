import { join } from 'node:path';
import { VectorCache } from '@knowledgepulse/sdk';
import { type DurableMemory, openMemory } from '@kp/memory';
import { getLoadablePath } from 'sqlite-vec';
import { randomVectors } from '../inputs/random.ts';
import { openDatabase } from '../vector/peers.ts';
import { type Claim, longestBlockMs, median, medianMs } from './claim.ts';
import { fillMemory, MOST, SPACE } from './filled-memory.ts';

const RUNS = 300;

/** What a SQLite memory takes over a `VectorCache` alone, and against sqlite-vec. */
export async function sqliteClaims(folder: string): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const size of [1_000, 100_000]) {
    const { memory, vectors } = await fillMemory(join(folder, `bench-${size}.db`), size);
    const cache = new VectorCache({ dimensions: SPACE.dimensions, maxElements: MOST });
    for (const [i, vector] of vectors.entries()) cache.add(vector, `${i}`);
    const queries = randomVectors(2 * RUNS, SPACE.dimensions, size + 1);
    const over: number[] = [];
    // In turns, so that both have the machine in the same moods.
    for (const [run, vector] of queries.entries()) {
      const startedAt = performance.now();
      cache.nearest(vector);
      cache.add(vector, `query ${run}`);
      const between = performance.now();
      await remember(memory, vector, `query ${run}`);
      over.push(performance.now() - between - (between - startedAt));
    }
    claims.push({
      what: `SQLite: compareAndRemember over VectorCache alone, at ${size.toLocaleString('en-US')}`,
      measured: median(over),
      bound: 'at most',
      limit: 0.06,
      unit: 'ms',
    });
    if (size === 100_000) claims.push(...(await blocks(memory, join(folder, `bench-${size}.db`))));
    await memory.close();
  }
  claims.push(await againstSqliteVec(folder));
  return claims;
}

async function againstSqliteVec(folder: string): Promise<Claim> {
  const size = 10_000;
  const { memory, vectors } = await fillMemory(join(folder, `bench-${size}.db`), size);
  const database = await openDatabase(getLoadablePath());
  if (database === undefined) throw new Error('sqlite-vec: expected Bun or Node 24, received less');
  database.run(
    `CREATE VIRTUAL TABLE v USING vec0(e float[${SPACE.dimensions}] distance_metric=cosine)`,
  );
  const insert = database.prepare('INSERT INTO v (e) VALUES (?)');
  const bytesOf = ({ buffer }: Float32Array) => new Uint8Array(buffer);
  database.run('BEGIN');
  for (const vector of vectors) insert(bytesOf(vector));
  database.run('COMMIT');
  const find = database.prepare('SELECT distance FROM v WHERE e MATCH ? ORDER BY distance LIMIT 1');
  const queries = randomVectors(100, SPACE.dimensions, 5);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (const [run, vector] of queries.entries()) {
    theirs.push(
      await medianMs(1, () => {
        find(bytesOf(vector));
        insert(bytesOf(vector));
      }),
    );
    ours.push(await medianMs(1, () => remember(memory, vector, `vec ${run}`)));
  }
  database.close();
  await memory.close();
  return {
    what: 'SQLite: times as quick as sqlite-vec in memory, at 10,000',
    measured: median(theirs) / median(ours),
    bound: 'at least',
    limit: 20,
    unit: '×',
  };
}

/** How long the event loop is held by catching up and by a burst of searches. */
async function blocks(memory: DurableMemory, file: string): Promise<Claim[]> {
  const other = await openMemory(file);
  const vectors = randomVectors(5000, SPACE.dimensions, 99);
  await other.addAll(vectors.map((vector, i) => ({ key: `behind ${i}`, vector })));
  await other.close();
  const limits = { bound: 'at most', limit: 15, unit: 'ms' } as const;
  const catchingUp = await longestBlockMs(async () => memory.size);
  const searching = await longestBlockMs(() =>
    Promise.all(vectors.slice(0, 256).map((vector, i) => remember(memory, vector, `burst ${i}`))),
  );
  return [
    {
      what: 'event loop: longest block while catching up 5,000 rows at 100,000',
      measured: catchingUp,
      ...limits,
    },
    {
      what: 'event loop: longest block in a burst of 256 at 100,000',
      measured: searching,
      ...limits,
    },
  ];
}

function remember(memory: DurableMemory, vector: Float32Array, key: string): Promise<unknown> {
  return memory.compareAndRemember([{ vector, key, operationId: crypto.randomUUID() }]);
}
