import type { SqliteDatabase, SqliteStatement } from './sqlite-drivers.ts';

const PRUNED_AT_ONCE = 200;

/** The statements that one namespace's log is read and written with, compiled once. */
export function prepareStatements(
  database: SqliteDatabase,
): Record<
  | 'dataVersion'
  | 'rowsAfter'
  | 'insert'
  | 'positionOf'
  | 'operationAt'
  | 'withKey'
  | 'erase'
  | 'pruned'
  | 'setPruned'
  | 'prune'
  | 'count'
  | 'checkpoint',
  SqliteStatement
> {
  const operation = 'lower(hex(operation)) AS operation';
  const columns = `position, kind, ${operation}, added_at, key, vector`;
  return {
    dataVersion: database.prepare('PRAGMA data_version'),
    rowsAfter: database.prepare(
      `SELECT ${columns} FROM kp_log WHERE space = ? AND position > ? ORDER BY position LIMIT ?`,
    ),
    insert: database.prepare(
      `INSERT INTO kp_log (space, kind, operation, added_at, key, vector)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (operation, space) DO NOTHING`,
    ),
    positionOf: database.prepare('SELECT position FROM kp_log WHERE operation = ? AND space = ?'),
    operationAt: database.prepare(`SELECT ${operation} FROM kp_log WHERE position = ?`),
    withKey: database.prepare(
      `SELECT position FROM kp_log WHERE key = ? AND space = ? AND kind < 2`,
    ),
    erase: database.prepare(
      "UPDATE kp_log SET kind = 2, key = '', vector = NULL WHERE position = ?",
    ),
    pruned: database.prepare('SELECT pruned FROM kp_space WHERE id = ?'),
    setPruned: database.prepare('UPDATE kp_space SET pruned = max(pruned, ?) WHERE id = ?'),
    prune: database.prepare(
      `DELETE FROM kp_log WHERE position IN
         (SELECT position FROM kp_log WHERE space = ? AND position < ? LIMIT ${PRUNED_AT_ONCE})`,
    ),
    checkpoint: database.prepare('PRAGMA wal_checkpoint(TRUNCATE)'),
    count: database.prepare('SELECT count(*) AS rows FROM kp_log WHERE space = ?'),
  };
}
