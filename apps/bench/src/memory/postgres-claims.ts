import pg from 'pg';
import { randomVectors } from '../inputs/random.ts';
import { type Claim, median } from './claim.ts';
import { fillMemory, SPACE } from './filled-memory.ts';

const RUNS = 400;
const IN_FLIGHT = 64;

/** What a memory in Postgres takes against a bare insert of one row as large. */
export async function postgresClaims(url: string): Promise<Claim[]> {
  const namespace = `bench ${crypto.randomUUID()}`;
  const { memory } = await fillMemory(url, 1000, namespace);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('DROP TABLE IF EXISTS kp_bench_bare');
  // Not a temporary table: those skip the write-ahead log, and what is compared with has to write it.
  await client.query(
    'CREATE TABLE kp_bench_bare (id bigserial PRIMARY KEY, key text, vector bytea)',
  );
  try {
    const insert = (key: string, { buffer }: Float32Array) =>
      client.query('INSERT INTO kp_bench_bare (key, vector) VALUES ($1, $2)', [
        key,
        Buffer.from(buffer),
      ]);
    const remember = (key: string, vector: Float32Array) =>
      memory.compareAndRemember([{ key, vector, operationId: crypto.randomUUID() }]);
    const vectors = randomVectors(RUNS, SPACE.dimensions, 7);
    const bare: number[] = [];
    const ours: number[] = [];
    for (const [run, vector] of vectors.entries()) {
      const startedAt = performance.now();
      await insert(`${run}`, vector);
      const between = performance.now();
      await remember(`one ${run}`, vector);
      bare.push(between - startedAt);
      ours.push(performance.now() - between);
    }
    const crowd = randomVectors(IN_FLIGHT * 30, SPACE.dimensions, 8);
    let next = 0;
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: IN_FLIGHT }, async () => {
        for (let i = next++; i < crowd.length; i = next++) {
          await remember(`many ${i}`, crowd[i] as Float32Array);
        }
      }),
    );
    const perSecond = (crowd.length / (performance.now() - startedAt)) * 1000;
    return [
      {
        what: 'Postgres: one at a time, against a bare insert of one row',
        measured: median(ours) / median(bare),
        bound: 'at most',
        limit: 1.5,
        unit: '×',
      },
      {
        what: 'Postgres: throughput of 64 in flight, against bare inserts of one row',
        measured: (perSecond * median(bare)) / 1000,
        bound: 'at least',
        limit: 8,
        unit: '×',
      },
    ];
  } finally {
    await client.query('DROP TABLE kp_bench_bare');
    await client.end();
    await memory.close();
  }
}
