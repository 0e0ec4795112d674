import { APPEND_FUNCTION } from './postgres-append-function.ts';
import { LOG_FUNCTIONS } from './postgres-log-functions.ts';

/**
 * How the schema of each version is made from the one before; appended to, never changed.
 *
 * A volatile function sees what was committed when each of its statements begins, so a read after
 * the row lock on `space` sees all that others appended before: the lock is the queue, and
 * positions have neither gaps nor races. (A lock inside one plain statement comes after its
 * snapshot, and helps nothing.)
 */
export const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE kp_memory.space (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace text NOT NULL UNIQUE,
  embedder_id text NOT NULL,
  dimensions integer NOT NULL,
  max_elements bigint NOT NULL,
  ttl_ms double precision,
  key_check text NOT NULL,
  head bigint NOT NULL DEFAULT 0,
  pruned bigint NOT NULL DEFAULT 0
);
-- A partition a namespace: dropped at once, vacuumed and indexed apart from all others.
CREATE TABLE kp_memory.log (
  space integer NOT NULL,
  position bigint NOT NULL,
  kind smallint NOT NULL,
  operation uuid NOT NULL,
  added_at double precision NOT NULL,
  key text NOT NULL,
  vector bytea,
  PRIMARY KEY (space, position),
  UNIQUE (space, operation)
) PARTITION BY LIST (space);
CREATE INDEX log_key ON kp_memory.log (space, key);

CREATE FUNCTION kp_memory.now_ms() RETURNS double precision LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision
$$;

-- Raises KP001 when the row at the cursor is not the reader's.
CREATE FUNCTION kp_memory.check_mark(
  p_space integer, p_after bigint, p_fence uuid, p_pruned bigint
) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_after > 0 AND (p_after <= p_pruned OR NOT EXISTS (
    SELECT FROM kp_memory.log l
    WHERE l.space = p_space AND l.position = p_after AND l.operation = p_fence
  )) THEN
    RAISE EXCEPTION 'another history' USING ERRCODE = 'KP001';
  END IF;
END $$;

-- The rows after a cursor; the last one, at position 0, carries the time.
CREATE FUNCTION kp_memory.read(
  p_space integer, p_after bigint, p_fence uuid, p_limit integer
) RETURNS TABLE (
  "at" double precision, kind smallint, operation uuid, added_at double precision, key text,
  vector bytea
) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  PERFORM kp_memory.check_mark(p_space, p_after, p_fence, s.pruned)
    FROM kp_memory.space s WHERE s.id = p_space;
  IF NOT FOUND THEN RAISE EXCEPTION 'no namespace' USING ERRCODE = 'KP003'; END IF;
  RETURN QUERY
    SELECT l.position::double precision, l.kind, l.operation, l.added_at, l.key, l.vector
    FROM kp_memory.log l WHERE l.space = p_space AND l.position > p_after
    ORDER BY l.position LIMIT p_limit;
  RETURN QUERY SELECT 0::double precision, 2::smallint, NULL::uuid, kp_memory.now_ms(), '', NULL::bytea;
END $$;

-- Appends in order; answers as read does, and without the vectors of its own rows.
-- Raises KP002, and appends nothing, when more than p_most rows lie after the cursor.
CREATE FUNCTION kp_memory.append(
  p_space integer, p_after bigint, p_fence uuid, p_operations uuid[], p_kinds smallint[],
  p_keys text[], p_vectors bytea, p_most integer
) RETURNS TABLE (
  "at" double precision, kind smallint, operation uuid, added_at double precision, key text,
  vector bytea
) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  v_space kp_memory.space;
  v_added integer;
  v_now double precision;
BEGIN
  SELECT * INTO v_space FROM kp_memory.space s WHERE s.id = p_space FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no namespace' USING ERRCODE = 'KP003'; END IF;
  PERFORM kp_memory.check_mark(p_space, p_after, p_fence, v_space.pruned);
  IF v_space.head - greatest(p_after, v_space.pruned) > p_most THEN
    RAISE EXCEPTION 'behind' USING ERRCODE = 'KP002';
  END IF;
  v_now := kp_memory.now_ms();
  INSERT INTO kp_memory.log (space, position, kind, operation, added_at, key, vector)
    SELECT p_space, v_space.head + row_number() OVER (ORDER BY new.i), new.kind, new.operation,
      v_now, new.key,
      substring(p_vectors FROM (new.i::integer - 1) * v_space.dimensions * 4 + 1
        FOR v_space.dimensions * 4)
    FROM unnest(p_operations, p_kinds, p_keys) WITH ORDINALITY AS new (operation, kind, key, i)
    WHERE NOT EXISTS (
      SELECT FROM kp_memory.log l WHERE l.space = p_space AND l.operation = new.operation
    );
  GET DIAGNOSTICS v_added = ROW_COUNT;
  UPDATE kp_memory.space SET head = head + v_added WHERE id = p_space;
  IF v_added < cardinality(p_operations) THEN
    RETURN QUERY
      SELECT l.position::double precision, l.kind, l.operation, l.added_at, l.key, NULL::bytea
      FROM kp_memory.log l
      WHERE l.space = p_space AND l.operation = ANY (p_operations) AND l.position <= p_after
      ORDER BY l.position;
  END IF;
  RETURN QUERY
    SELECT l.position::double precision, l.kind, l.operation, l.added_at, l.key,
      CASE WHEN l.operation = ANY (p_operations) THEN NULL ELSE l.vector END
    FROM kp_memory.log l WHERE l.space = p_space AND l.position > p_after
    ORDER BY l.position;
  RETURN QUERY SELECT 0::double precision, 2::smallint, NULL::uuid, v_now, '', NULL::bytea;
END $$;

-- Erases the rows of a key and appends a row that names their positions; how many there were.
CREATE FUNCTION kp_memory.forget(p_space integer, p_key text) RETURNS integer
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_head bigint;
  v_positions bigint[];
BEGIN
  SELECT s.head INTO v_head FROM kp_memory.space s WHERE s.id = p_space FOR UPDATE;
  WITH erased AS (
    UPDATE kp_memory.log l SET kind = 2, key = '', vector = NULL
    WHERE l.space = p_space AND l.key = p_key AND l.kind < 2 RETURNING l.position
  ) SELECT array_agg(position ORDER BY position) INTO v_positions FROM erased;
  IF v_positions IS NULL THEN RETURN 0; END IF;
  INSERT INTO kp_memory.log (space, position, kind, operation, added_at, key)
    VALUES (p_space, v_head + 1, 3, gen_random_uuid(), kp_memory.now_ms(),
      array_to_json(v_positions)::text);
  UPDATE kp_memory.space SET head = v_head + 1 WHERE id = p_space;
  RETURN cardinality(v_positions);
END $$;
`,
  `
ALTER TABLE kp_memory.space
  -- Who searches: the processes in the log, or the server in an index.
  ADD COLUMN index_kind text NOT NULL DEFAULT 'log',
  -- For those that the server searches: how many there are, and the age that entries are told by.
  ADD COLUMN entries bigint NOT NULL DEFAULT 0,
  ADD COLUMN age double precision NOT NULL DEFAULT 0,
  ADD COLUMN clock double precision;
-- A namespace on its way into another index; what was copied is behind it.
CREATE TABLE kp_memory.move (
  source integer PRIMARY KEY,
  target integer NOT NULL,
  copied bigint NOT NULL DEFAULT 0
);
-- The functions of the namespaces that the server searches need an extension, and come later.
ALTER TABLE kp_memory.version ADD COLUMN hnsw integer NOT NULL DEFAULT 0;

-- A tree takes no keys of more than 2,700 bytes.
DROP INDEX kp_memory.log_key;
CREATE INDEX log_key ON kp_memory.log USING hash (key);

CREATE OR REPLACE FUNCTION kp_memory.forget(p_space integer, p_key text) RETURNS integer
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_head bigint;
  v_positions bigint[];
BEGIN
  SELECT s.head INTO v_head FROM kp_memory.space s WHERE s.id = p_space FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no namespace' USING ERRCODE = 'KP003'; END IF;
  WITH erased AS (
    UPDATE kp_memory.log l SET kind = 2, key = '', vector = NULL
    WHERE l.space = p_space AND l.key = p_key AND l.kind < 2 RETURNING l.position
  ) SELECT array_agg(position ORDER BY position) INTO v_positions FROM erased;
  IF v_positions IS NULL THEN RETURN 0; END IF;
  INSERT INTO kp_memory.log (space, position, kind, operation, added_at, key)
    VALUES (p_space, v_head + 1, 3, gen_random_uuid(), kp_memory.now_ms(),
      array_to_json(v_positions)::text);
  UPDATE kp_memory.space SET head = v_head + 1 WHERE id = p_space;
  RETURN cardinality(v_positions);
END $$;
`,
  `
-- The last two operations: whoever names the one before its own has read all, and no row need be
-- looked at. Processes of the version before leave them as they are, which costs that look.
ALTER TABLE kp_memory.space ADD COLUMN last_operation uuid, ADD COLUMN operation_before uuid;

-- As append, of operations that the log has not (23505 when it has one): it appends them without a
-- look. Returns the rows of others alone; the last has the time and the place of the first own row.
-- Processes of the version before go on with append, and whoever is told 23505 calls it.
CREATE FUNCTION kp_memory.append_new(
  p_space integer, p_after bigint, p_fence uuid, p_operations uuid[], p_kinds smallint[],
  p_keys text[], p_vectors bytea, p_most integer
) RETURNS TABLE (
  "at" double precision, kind smallint, operation uuid, added_at double precision, key text,
  vector bytea
) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  v_amount integer := cardinality(p_operations);
  v_head bigint;
  v_pruned bigint;
  v_bytes integer;
  v_before uuid;
  v_now double precision;
BEGIN
  UPDATE kp_memory.space SET head = head + v_amount, operation_before = last_operation,
      last_operation = p_operations[v_amount]
    WHERE id = p_space RETURNING head - v_amount, pruned, dimensions * 4, operation_before
    INTO v_head, v_pruned, v_bytes, v_before;
  IF NOT FOUND THEN RAISE EXCEPTION 'no namespace' USING ERRCODE = 'KP003'; END IF;
  IF p_after <> v_head OR p_fence IS DISTINCT FROM v_before THEN
    PERFORM kp_memory.check_mark(p_space, p_after, p_fence, v_pruned);
  END IF;
  IF v_head - greatest(p_after, v_pruned) > p_most THEN
    RAISE EXCEPTION 'behind' USING ERRCODE = 'KP002';
  END IF;
  v_now := floor(extract(epoch FROM clock_timestamp()) * 1000);
  INSERT INTO kp_memory.log (space, position, kind, operation, added_at, key, vector)
    SELECT p_space, v_head + new.i, new.kind, new.operation, v_now, new.key,
      substring(p_vectors FROM (new.i::integer - 1) * v_bytes + 1 FOR v_bytes)
    FROM unnest(p_operations, p_kinds, p_keys) WITH ORDINALITY AS new (operation, kind, key, i);
  IF v_head > p_after THEN
    RETURN QUERY
      SELECT l.position::double precision, l.kind, l.operation, l.added_at, l.key, l.vector
      FROM kp_memory.log l
      WHERE l.space = p_space AND l.position > p_after AND l.position <= v_head
      ORDER BY l.position;
  END IF;
  RETURN QUERY
    SELECT (v_head + 1)::double precision, 2::smallint, NULL::uuid, v_now, '', NULL::bytea;
END $$;
`,
  LOG_FUNCTIONS,
  APPEND_FUNCTION,
];
