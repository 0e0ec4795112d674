import { messageOf } from '@kp/foundation';
import {
  cursorOf,
  LOG_START,
  type LogAnswer,
  type LogCursor,
  type MemoryCheck,
  type MemoryLog,
} from './log.ts';
import type { MemoryBackend } from './memory-backend.ts';
import { toBytes } from './vector-bytes.ts';

/** Checks a store, and reads all entries of the namespace. */
export async function verifyMemory(backend: MemoryBackend): Promise<MemoryCheck> {
  const problems: string[] = [];
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256');
  let entries = 0;
  try {
    problems.push(...(await backend.check()));
    for await (const { key, vector } of backend.stored()) {
      hash.update(`${key}\u0000`).update(toBytes(vector));
      entries++;
    }
    const size = await backend.size();
    if (size !== entries) problems.push(`expected ${size} entries, read ${entries}`);
  } catch (error) {
    problems.push(messageOf(error));
  }
  return { entries, digest: hash.digest('hex'), problems };
}

/** Reads all rows of a log and reports positions that are missing, and invalid rows. */
export async function checkRows(
  { engine, hasGaps }: MemoryLog,
  pageSize: number,
  read: (after: LogCursor, limit: number) => Promise<LogAnswer>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const forgotten: number[] = [];
  const remembered = new Set<number>();
  let last: number | undefined;
  for (let cursor: LogCursor = LOG_START; ; ) {
    const answer = await read(cursor, pageSize);
    if (answer.outcome !== 'rows') return [`${engine}: the log was replaced while it was read`];
    for (const row of answer.rows) {
      const { position, kind, key, vector } = row;
      if (last !== undefined && position !== last + 1 && hasGaps !== true) {
        problems.push(`${engine}: expected position ${last + 1}, found ${position}`);
      }
      if (kind === 'forget') forgotten.push(...(JSON.parse(key) as number[]));
      else if (kind !== 'erased') {
        remembered.add(position);
        if (vector === undefined) problems.push(`${engine}, position ${position}: no vector`);
      }
      last = position;
      cursor = cursorOf(row);
    }
    if (answer.rows.length < pageSize) break;
  }
  for (const position of forgotten.filter((each) => remembered.has(each))) {
    problems.push(`${engine}, position ${position}: expected an erased row`);
  }
  return problems;
}
