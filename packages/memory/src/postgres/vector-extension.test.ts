import { describe, expect, it } from 'bun:test';
import { failureOf } from '../../test/load.ts';
import { scriptPostgres, serverError } from '../../test/scripted-postgres.ts';
import { HNSW_FUNCTIONS_VERSION } from './hnsw-functions.ts';
import { withClient } from './postgres-query.ts';
import { prepareVectors } from './vector-extension.ts';

interface Database {
  readonly available?: string;
  readonly installed?: string | null;
  /** The answer to CREATE EXTENSION. */
  readonly refusal?: Error;
  readonly isSeen?: boolean;
  /** Version of the functions; undefined: unknown. */
  readonly functions?: number;
}

/** Returns the result for a database with these facts, and the statements that ran there. */
function prepare(database: Database) {
  const { available, installed = null, refusal, isSeen = true } = database;
  const { functions = 'functions' in database ? undefined : HNSW_FUNCTIONS_VERSION } = database;
  const { pool, statements } = scriptPostgres(({ text }) => {
    if (text.includes('pg_available')) return available ? [{ available, installed }] : [];
    if (text.includes('CREATE EXTENSION')) return refusal ?? [];
    if (text.includes('pg_type')) {
      return isSeen ? [{ id: 16_385, schema: '"Own"', version: installed ?? available }] : [];
    }
    if (text.startsWith('SELECT hnsw')) return functions === undefined ? [] : [{ hnsw: functions }];
    return [];
  });
  const asked = withClient(pool, performance.now() + 30_000, prepareVectors);
  const ran = (part: string): boolean => statements.some(({ text }) => text.includes(part));
  const stamped = () => statements.find(({ text }) => text.startsWith('UPDATE'))?.values;
  return { asked, ran, stamped };
}

describe('prepareVectors', () => {
  it('finds the existing objects and changes nothing', async () => {
    const { asked, ran, stamped } = prepare({ available: '0.8.1', installed: '0.8.0' });
    expect(await asked).toEqual({ id: 16_385, name: '"Own".vector', version: '0.8.0' });
    expect(ran('CREATE EXTENSION')).toBe(false);
    expect(ran('CREATE OR REPLACE FUNCTION')).toBe(false);
    expect(stamped()).toBeUndefined();
  });

  it('creates the missing extension and functions', async () => {
    for (const functions of [0, HNSW_FUNCTIONS_VERSION - 1, undefined]) {
      const { asked, ran, stamped } = prepare({ available: '0.10.0', functions });
      expect((await asked).version).toBe('0.10.0');
      expect(ran('CREATE EXTENSION vector')).toBe(true);
      expect(ran('SET search_path = pg_catalog, "Own", pg_temp')).toBe(true);
      expect(stamped()).toEqual([HNSW_FUNCTIONS_VERSION]);
    }
  });

  it.each<[string, Database, string]>([
    [
      'a server without it',
      {},
      'install it on the server (Debian: postgresql-17-pgvector), or use a log',
    ],
    [
      'version 0.7.4',
      { available: '0.7.4' },
      'update it on the server, then run ALTER EXTENSION vector UPDATE, or use a log',
    ],
    [
      'version 0.5.1',
      { available: '0.7.4', installed: '0.5.1' },
      'update it on the server, then run ALTER EXTENSION vector UPDATE, or use a log',
    ],
    [
      'version 0.7.0',
      { available: '0.8.0', installed: '0.7.0' },
      'run ALTER EXTENSION vector UPDATE in this database',
    ],
    [
      'one whose type cannot be seen',
      { available: '0.8.0', installed: '0.8.0', isSeen: false },
      'check the rights on its schema',
    ],
    [
      'no right',
      { available: '0.8.0', refusal: serverError('42501', 'no right') },
      'ask the owner of the database to run CREATE EXTENSION vector once, or use a log',
    ],
  ])('gives the remedy for %s', async (received, database, remedy) => {
    const error = await failureOf(prepare(database).asked);
    expect(error).toMatchObject({
      code: 'DEPENDENCY_MISSING',
      message:
        'postgres, index hnsw: expected the extension vector (pgvector) 0.8 or later, ' +
        `received ${received}; ${remedy}`,
    });
  });

  it('rejects functions of a later version', async () => {
    const functions = HNSW_FUNCTIONS_VERSION + 1;
    const later = prepare({ available: '0.8.0', installed: '0.8.0', functions });
    expect(await failureOf(later.asked)).toMatchObject({
      code: 'MEMORY_NEWER',
      message:
        'postgres, the hnsw functions of schema kp_memory: expected version ' +
        `${HNSW_FUNCTIONS_VERSION} or before, received version ${functions}; update @kp/memory`,
    });
    expect(later.ran('CREATE OR REPLACE FUNCTION')).toBe(false);
  });
});
