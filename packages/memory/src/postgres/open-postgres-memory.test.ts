import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test';
import { Pool } from 'pg';
import { failureOf } from '../../test/load.ts';
import { STORED_SPACE, scriptDatabase, serverError } from '../../test/scripted-postgres.ts';
import { connectPostgres, openPostgresMemory } from './open-postgres-memory.ts';

const URL = 'postgres://kp@127.0.0.1:1/postgres';
const embedder = { id: 'two', dimensions: 2 };

describe('connectPostgres', () => {
  it('rejects an unknown index and two different ones', async () => {
    expect(await failureOf(connectPostgres(`${URL}?index=ivf`, {}))).toMatchObject({
      code: 'MEMORY_OPTION_INVALID',
      message: 'index: expected log or hnsw, received "ivf"',
    });
    expect(await failureOf(connectPostgres(`${URL}?index=hnsw`, { index: 'log' }))).toMatchObject({
      code: 'MEMORY_OPTION_INVALID',
      message: 'index: expected log, as in the options, received hnsw in the URL',
    });
  });

  it('does not close a pool of the caller', async () => {
    const { pool } = scriptDatabase({});
    const connected = await connectPostgres(pool, { index: 'hnsw' });
    expect(connected).toMatchObject({ isOurs: false, resolved: { index: 'hnsw' } });
    expect(connected.pool).toBe(pool);
    const unknown = connectPostgres(pool, { index: 'ivf' as 'log' });
    expect((await failureOf(unknown)).code).toBe('MEMORY_OPTION_INVALID');
  });
});

describe('openPostgresMemory', () => {
  let connect: Mock<() => Promise<unknown>>;
  let end: Mock<() => Promise<void>>;
  beforeEach(() => {
    connect = spyOn(Pool.prototype, 'connect') as unknown as typeof connect;
    end = spyOn(Pool.prototype, 'end') as unknown as typeof end;
  });
  afterEach(() => {
    connect.mockRestore();
    end.mockRestore();
  });

  it('closes only the connections that it created', async () => {
    const { pool, isEnded } = scriptDatabase({ stored: STORED_SPACE });
    connect.mockImplementation(pool.connect);
    const ours = await openPostgresMemory(URL, { namespace: 'own' });
    expect(end).not.toHaveBeenCalled();
    await ours.close();
    expect(end).toHaveBeenCalledTimes(1);
    const theirs = await openPostgresMemory(pool, { namespace: 'own' });
    await theirs.close();
    expect(isEnded()).toBe(false);
  });

  it('rejects a namespace whose table is missing', async () => {
    const missing = serverError('42P01', 'relation "kp_memory.log_7" does not exist');
    const { pool } = scriptDatabase({
      stored: STORED_SPACE,
      answer: ({ text }) => (text.includes('UNION ALL') ? missing : undefined),
    });
    expect((await failureOf(openPostgresMemory(pool, { namespace: 'own' }))).code).toBe(
      'MEMORY_DAMAGED',
    );
  });

  it('closes them even if opening fails', async () => {
    const refusal = serverError('42501', 'no right');
    const { pool, isEnded } = scriptDatabase({
      answer: ({ text }) => (text.startsWith('SELECT pg_advisory') ? refusal : undefined),
    });
    connect.mockImplementation(pool.connect);
    expect(await failureOf(openPostgresMemory(URL, { embedder }))).toMatchObject({
      code: 'MEMORY_UNAVAILABLE',
      cause: refusal,
    });
    expect(end).toHaveBeenCalledTimes(1);
    expect((await failureOf(openPostgresMemory(pool, { embedder }))).code).toBe(
      'MEMORY_UNAVAILABLE',
    );
    expect(isEnded()).toBe(false);
  });
});
