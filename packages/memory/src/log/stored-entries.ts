import { MemoryStoreError } from './errors.ts';
import {
  cursorOf,
  LOG_START,
  type LogAnswer,
  type LogCursor,
  type LogRow,
  type MemoryLog,
  type StoredEntry,
} from './log.ts';
import { VectorReader } from './vector-bytes.ts';

/**
 * Reads all entries from the store, oldest first.
 *
 * @param limit - rows per read.
 * @param read - returns rows after a cursor.
 * @param isKept - whether the vector of a row is still remembered.
 * @throws {@link MemoryStoreError} `MEMORY_UNAVAILABLE` if the history of the log changes meanwhile;
 * the listed entries may then be incomplete.
 */
export async function* storedEntries(
  { engine, space }: MemoryLog,
  limit: number,
  read: (after: LogCursor, limit: number) => Promise<LogAnswer>,
  isKept: (row: LogRow) => boolean,
): AsyncGenerator<StoredEntry> {
  const vectors = new VectorReader(space.dimensions);
  for (let cursor: LogCursor = LOG_START; ; ) {
    const answer = await read(cursor, limit);
    if (answer.outcome !== 'rows') {
      throw new MemoryStoreError({
        code: 'MEMORY_UNAVAILABLE',
        subject: engine,
        expected: 'the same history during the listing',
        received: 'a different history',
        remedy: 'repeat the listing',
      });
    }
    for (const row of answer.rows) {
      const { key, vector, addedAt } = row;
      if (vector !== undefined && isKept(row)) {
        yield { key, vector: vectors.read(vector).slice(), addedAt };
      }
      cursor = cursorOf(row);
    }
    if (answer.rows.length < limit) return;
  }
}
