import { Database } from 'bun:sqlite';
import { toBytes } from '../src/log/vector-bytes.ts';
import { MIGRATIONS } from '../src/sqlite/sqlite-migrations.ts';
import { TEST_EMBEDDER } from './load.ts';
import { vectorOf } from './replay.ts';

/** The namespaces of a {@link Version2}, by number from 1. */
export const SPACES: readonly string[] = ['default', 'other', 'third'];

/** The statements of version 2. */
export const VERSION_2 = {
  insert: `INSERT INTO kp_log (space, kind, operation, added_at, key, vector)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS
      (SELECT 1 FROM kp_log WHERE operation = ?3 AND space = ?1 AND kind = 2)
    ON CONFLICT (key, space, operation) DO NOTHING`,
  rowsAfter: `SELECT position, kind, added_at, key, vector FROM kp_log
    WHERE space = ? AND position > ? ORDER BY position LIMIT ?`,
  operationAt: 'SELECT lower(hex(operation)) AS operation FROM kp_log WHERE position = ?',
  withKey: 'SELECT position FROM kp_log WHERE key = ? AND space = ? AND kind < 2',
  erase: "UPDATE kp_log SET kind = 2, key = '', vector = NULL WHERE position = ?",
  prune: 'DELETE FROM kp_log WHERE space = ? AND position < ?',
} as const;

/** A SQLite memory of version 2, opened by a program of that version. */
export class Version2 {
  readonly database: Database;

  constructor(file: string) {
    this.database = new Database(file);
    this.database.run('PRAGMA journal_mode = WAL');
    this.database.run('PRAGMA secure_delete = ON');
    const database = { exec: (sql: string) => this.database.run(sql) };
    for (const change of MIGRATIONS.slice(0, 2)) change(database as never);
    this.database.run(`PRAGMA application_id = ${Buffer.from('KPm1').readUInt32BE()}`);
    this.database.run('PRAGMA user_version = 2');
    for (const name of SPACES) {
      const values = [name, TEST_EMBEDDER.id, TEST_EMBEDDER.dimensions];
      this.database
        .query(
          `INSERT INTO kp_space (namespace, embedder_id, dimensions, max_elements, key_check)
           VALUES (?, ?, ?, 100000, '')`,
        )
        .run(...values);
    }
  }

  /** @returns its position. */
  append(space: number, key: string, number: number, operation = crypto.randomUUID()): number {
    const bytes = Buffer.from(operation.replaceAll('-', ''), 'hex');
    const insert = this.database.query(VERSION_2.insert);
    const vector = toBytes(vectorOf(number));
    return Number(insert.run(space, 0, bytes, 1000 + number, key, vector).lastInsertRowid);
  }

  /** Appends to the namespaces in turn, once per number to each. */
  fill(numbers: number, spaces: readonly number[], keyOf = (i: number): string => `${i}`): void {
    this.database.transaction(() => {
      for (let i = 0; i < numbers; i++) for (const space of spaces) this.append(space, keyOf(i), i);
    })();
  }

  forget(space: number, key: string): void {
    const found = this.database.query(VERSION_2.withKey).all(key, space) as { position: number }[];
    for (const { position } of found) this.database.query(VERSION_2.erase).run(position);
    const positions = JSON.stringify(found.map(({ position }) => position));
    const operation = crypto.getRandomValues(new Uint8Array(16));
    this.database.query(VERSION_2.insert).run(space, 3, operation, 2000, positions, null);
  }

  prune(space: number, before: number): void {
    const set = 'UPDATE kp_space SET pruned = max(pruned, ?) WHERE id = ?';
    this.database.query(set).run(before - 1, space);
    this.database.query(VERSION_2.prune).run(space, before);
  }
}
