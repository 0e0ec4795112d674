import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { useFolder } from '@kp/testing/folder';
import { describeWith, pgvectorNeed, postgresNeed, redisNeed } from '@kp/testing/needs';
import { Client } from 'pg';
import { createClient } from 'redis';
import { entry, failureOf, openTest } from '../../test/load.ts';
import { postgresCommand, programs } from '../../test/programs.ts';
import { vectorOf } from '../../test/replay.ts';
import { startPostgres, startRedis, type TestServer } from '../../test/servers.ts';
import { backupSqliteMemory } from '../sqlite/backup-sqlite-memory.ts';
import type { DurableMemory } from './durable-memory.ts';

const SECRET = 'kp:trace:the-patient-from-room-17';

async function fill(memory: DurableMemory): Promise<void> {
  await memory.compareAndRemember([entry('a', 1), entry(SECRET, 2), entry('c', 3)]);
  await memory.compareAndRemember([entry('a', 4)], { sameId: 'replace' });
  await memory.forget('c');
}

const folder = useFolder('kp-verify-');

describe('a SQLite memory', () => {
  it('can be backed up while in use, and the copy has the same digest', async () => {
    const [file, copy] = [join(folder, 'seen.db'), join(folder, 'copy.db')];
    const memory = await openTest(file);
    await fill(memory);
    await backupSqliteMemory(file, copy);
    await memory.add(vectorOf(9), 'later');
    const restored = await openTest(copy);
    const check = await restored.verify();
    expect(check).toMatchObject({ entries: 2, problems: [] });
    expect((await memory.verify()).digest).not.toBe(check.digest);
    await memory.forget('later');
    expect((await memory.verify()).digest).toBe(check.digest);
    await restored.add(vectorOf(5), 'b');
    expect(await restored.size).toBe(3);
    await Promise.all([memory.close(), restored.close()]);
    expect((await failureOf(backupSqliteMemory(file, copy))).message).toContain('not exist yet');
    expect((await failureOf(backupSqliteMemory(`${file}x`, `${copy}x`))).code).toBe(
      'MEMORY_LOCATION',
    );
  });

  it('reports a damaged row and finds the bytes of a key', async () => {
    const file = join(folder, 'damaged.db');
    const memory = await openTest(file);
    await fill(memory);
    expect((await memory.findBytes(SECRET)).found.length).toBeGreaterThan(0);
    expect(await memory.erase(SECRET)).toEqual({ removed: 1, bytesErased: 'now' });
    expect(await memory.findBytes(SECRET)).toEqual({ found: [], unseen: [] });
    const database = new DatabaseSync(file);
    database.exec("UPDATE kp_row SET vector = x'00' WHERE key = 'a' AND kind = 1");
    database.close();
    const { problems } = await memory.verify();
    expect(problems.join()).toContain('expected a vector of 32 bytes, received 1');
    await memory.close();
  });
});

describeWith(postgresNeed, 'a Postgres memory', () => {
  let server: TestServer;
  let admin: Client;
  beforeAll(async () => {
    // With pgvector for the index, if it is installed.
    server = await startPostgres([], programs.pgvector ?? programs.postgres);
    admin = new Client({ connectionString: server.url });
    await admin.connect();
  }, 60_000);
  afterAll(async () => {
    await admin.end();
    await server.remove();
  });

  /** Dumps a database and restores it into a new one, as documented. */
  async function restore(...options: string[]): Promise<string> {
    const database = `restored_${crypto.randomUUID().slice(0, 8)}`;
    await admin.query(`CREATE DATABASE ${database}`);
    const target = server.url.replace('/postgres', `/${database}`);
    const bin = programs.pgvector ?? programs.postgres ?? '';
    const pgDump = postgresCommand(bin, 'pg_dump');
    const dump = Bun.spawnSync([...pgDump, '-n', 'kp_memory', ...options, server.url]);
    expect(dump.stderr.toString()).toBe('');
    const words = [...postgresCommand(bin, 'psql'), '-q', '-v', 'ON_ERROR_STOP=1', target];
    const psql = Bun.spawnSync(words, { stdin: dump.stdout, stdout: 'ignore', stderr: 'pipe' });
    expect(psql.stderr.toString()).toBe('');
    return target;
  }

  it('can be dumped and restored with the same digest, and accepts entries', async () => {
    const memory = await openTest(server.url);
    await fill(memory);
    const { digest } = await memory.verify();
    const restored = await openTest(await restore());
    expect(await restored.verify()).toEqual({ entries: 2, digest, problems: [] });
    const [answer] = await restored.compareAndRemember([entry('b', 4)]);
    expect(answer).toMatchObject({ comparedWith: 2, nearest: { key: 'a' } });
    await Promise.all([memory.close(), restored.close()]);
  }, 60_000);

  describeWith(pgvectorNeed, 'with an index', () => {
    it('can be dumped with its extension and restored', async () => {
      const memory = await openTest(`${server.url}?index=hnsw`, { namespace: 'indexed' });
      await memory.compareAndRemember([entry('a', 1), entry('b', 2)]);
      const { digest } = await memory.verify();
      const target = await restore('-e', 'vector');
      const restored = await openTest(`${target}?index=hnsw`, { namespace: 'indexed' });
      expect(await restored.verify()).toEqual({ entries: 2, digest, problems: [] });
      const [answer] = await restored.compareAndRemember([entry('c', 2)]);
      expect(answer).toMatchObject({ comparedWith: 2, nearest: { key: 'b' } });
      await Promise.all([memory.close(), restored.close()]);
    }, 60_000);
  });

  it('reports missing rows and finds the bytes of a key', async () => {
    const memory = await openTest(server.url, { namespace: 'checked' });
    await fill(memory);
    await admin.query('CHECKPOINT');
    expect((await memory.findBytes(SECRET)).found.join()).toMatch(/kp_memory\.log_\d+/);
    await memory.erase(SECRET);
    await admin.query('CHECKPOINT');
    const { found } = await memory.findBytes(SECRET);
    // Other namespaces of this server still contain it.
    const { rows } = await admin.query(
      "SELECT id FROM kp_memory.space WHERE namespace = 'checked'",
    );
    const table = `kp_memory.log_${rows[0].id}`;
    expect(found).not.toContain(table);
    await admin.query(`DELETE FROM ${table} WHERE position = 2`);
    const { problems } = await memory.verify();
    expect(problems.join()).toContain(`${table}: expected 6 rows, found 5`);
    expect(problems.join()).toContain('postgres: expected position 2, found 3');
    await admin.query('CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA kp_memory TO reader');
    await admin.query('GRANT ALL ON ALL TABLES IN SCHEMA kp_memory TO reader');
    const reader = await openTest(server.url.replace('kp@', 'reader@'));
    const search = await reader.findBytes('nobody');
    expect(search.found).toEqual([]);
    expect(search.unseen.join()).toContain('look as a superuser');
    await Promise.all([memory.close(), reader.close()]);
  }, 60_000);
});

describeWith(redisNeed, 'a Redis memory', () => {
  it('can be restored from a dump with the same digest, and accepts entries', async () => {
    const server = await startRedis();
    const memory = await openTest(server.url);
    await fill(memory);
    const { digest } = await memory.verify();
    const client = await createClient({ url: server.url }).connect();
    await client.sendCommand(['SAVE']);
    const dump = join(folder, 'dump.rdb');
    await copyFile(join(server.folder, 'dump.rdb'), dump);
    expect((await memory.findBytes(SECRET)).found.length).toBeGreaterThan(0);
    await client.sendCommand(['HDEL', 'kp:{default}:rows', '2']);
    expect((await memory.verify()).problems.join()).toContain('expected 5 rows, found 4');
    client.destroy();
    await memory.close();
    await server.remove();
    const other = await startRedis(['--appendonly', 'no', '--dir', folder]);
    const restored = await openTest(other.url);
    expect(await restored.verify()).toEqual({ entries: 2, digest, problems: [] });
    const [answer] = await restored.compareAndRemember([entry('b', 4)]);
    expect(answer).toMatchObject({ comparedWith: 2, nearest: { key: 'a' } });
    await restored.close();
    await other.remove();
  }, 60_000);
});
