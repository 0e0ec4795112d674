import type { MemoryIndex } from '../log/options.ts';
import type { StoredNamespace } from '../log/stored-namespace.ts';
import { checkBytes, toBytes, VectorReader } from '../log/vector-bytes.ts';
import type { VectorType } from './hnsw-backend.ts';
import type { PostgresClient } from './postgres-client.ts';
import { vectorArray } from './vector-array.ts';

/** A namespace that moves from one number and index to another. */
export interface Move {
  readonly source: number;
  readonly target: number;
  readonly from: MemoryIndex;
  /** The target. */
  readonly space: StoredNamespace;
  readonly vectors: VectorType;
}

const COPY_BATCH_SIZE = 500;

/**
 * Copies the next rows. Concurrent calls copy different rows.
 *
 * @returns the number of rows; 0 if none remain.
 */
export async function copyRows(
  client: PostgresClient,
  move: Move,
): Promise<number | 'done elsewhere'> {
  for (;;) {
    const found = await client.query(
      'SELECT copied::double precision FROM kp_memory.move WHERE source = $1 AND target = $2',
      [move.source, move.target],
    );
    const copied = (found.rows[0] as { copied: number } | undefined)?.copied;
    if (copied === undefined) return 'done elsewhere';
    const amount = await (move.from === 'log' ? copyToIndex : copyToLog)(client, move, copied);
    if (amount !== undefined) return amount;
  }
}

interface SourceRow {
  readonly at: number;
  readonly kind: number;
  readonly operation: string;
  readonly added_at: number;
  readonly key: string;
  readonly vector: Uint8Array | null;
}

async function copyToIndex(
  client: PostgresClient,
  { source, space, vectors: type }: Move,
  copied: number,
): Promise<number | undefined> {
  const { rows } = await client.query(
    `SELECT position::double precision AS at, kind, operation, added_at, key, vector
     FROM kp_memory.log_${source} WHERE space = $1 AND position > $2 ORDER BY position LIMIT ${COPY_BATCH_SIZE}`,
    [source, copied],
  );
  if (rows.length === 0) return 0;
  const taken = rows as SourceRow[];
  const reader = new VectorReader(space.dimensions);
  const vectors = taken.map(({ at, vector }) => {
    if (vector === null) return undefined;
    checkBytes(vector, space.dimensions, `kp_memory.log, row ${at}`);
    return reader.read(vector).slice();
  });
  const answer = await client.query(
    `SELECT kp_memory.hnsw_take($1, $2, $3, $4, $5, $6, $7, $8::${type.name}[]) AS is_taken`,
    [
      source,
      copied,
      taken.map(({ at }) => at),
      taken.map(({ kind }) => kind),
      taken.map(({ operation }) => operation),
      taken.map((row) => row.added_at),
      taken.map(({ key }) => key),
      vectorArray(vectors, type.id),
    ],
  );
  return (answer.rows[0] as { is_taken: boolean }).is_taken ? rows.length : undefined;
}

interface IndexRow {
  readonly at: number;
  readonly is_moved: boolean;
  readonly operation: string;
  readonly added_at: number;
  readonly key: string;
  readonly vector: string;
}

/** In the order of their positions, which in a log is the order of arrival. */
async function copyToLog(
  client: PostgresClient,
  { source, target }: Move,
  copied: number,
): Promise<number | undefined> {
  const { rows } = await client.query(
    `SELECT place::double precision AS at, place <> position AS is_moved, operation, added_at, key,
       vector::text
     FROM kp_memory.hnsw_${source} WHERE place > $1 ORDER BY place LIMIT ${COPY_BATCH_SIZE}`,
    [copied],
  );
  if (rows.length === 0) return 0;
  const taken = rows as IndexRow[];
  // A log measures ages by the steps of its clock, so a replaced entry is as old as its position.
  const before = await client.query(`SELECT max(added_at) AS last FROM kp_memory.log_${target}`);
  let last = (before.rows[0] as { last: number | null }).last ?? 0;
  const times = taken.map((row) => {
    if (!row.is_moved) last = Math.max(last, row.added_at);
    return last;
  });
  const bytes = taken.map(({ vector }) =>
    toBytes(Float32Array.from(JSON.parse(vector) as number[])),
  );
  const answer = await client.query(
    `WITH moved AS (
       UPDATE kp_memory.move SET copied = $3 WHERE source = $1 AND copied = $2 RETURNING target
     ), added AS (
       INSERT INTO kp_memory.log_${target} (space, position, kind, operation, added_at, key, vector)
       SELECT target, new.position, 0, new.operation, new.added_at, new.key,
         substring($8::bytea FROM (new.i::integer - 1) * $9::integer + 1 FOR $9::integer)
       FROM moved, unnest($4::bigint[], $5::uuid[], $6::double precision[], $7::text[])
         WITH ORDINALITY AS new (position, operation, added_at, key, i)
       RETURNING 1
     ) SELECT count(*)::integer AS amount FROM added`,
    [
      source,
      copied,
      taken.at(-1)?.at,
      taken.map(({ at }) => at),
      taken.map(({ operation }) => operation),
      times,
      taken.map(({ key }) => key),
      Buffer.concat(bytes),
      bytes[0]?.length,
    ],
  );
  const { amount } = answer.rows[0] as { amount: number };
  return amount === 0 ? undefined : amount;
}
