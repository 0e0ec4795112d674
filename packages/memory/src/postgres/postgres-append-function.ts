/**
 * Version 5 of the schema: the function that appends to a namespace returns the rows of others only
 * if there are few. A backend that sends many rows waits for a slow reader, and would keep the lock
 * of the namespace meanwhile; the reader asks for them after the append instead.
 *
 * It has another name than the function of version 4, which stays for processes of that version.
 */
export const APPEND_FUNCTION = `
-- Creates the table of a namespace, and the function that appends operations that it does not have
-- (23505 if it has one). The function returns up to p_most rows of others, or none; its last row has
-- the time and the position of the first own row.
CREATE OR REPLACE FUNCTION kp_memory.make_log(p_space integer) RETURNS void LANGUAGE plpgsql AS $make$
BEGIN
  IF to_regclass(format('kp_memory.log_%s', p_space)) IS NULL THEN
    EXECUTE format('CREATE TABLE kp_memory.log_%1$s (LIKE kp_memory.log INCLUDING ALL);
      ALTER TABLE kp_memory.log_%1$s ALTER COLUMN vector SET STORAGE EXTERNAL', p_space);
  END IF;
  EXECUTE format($format$
CREATE OR REPLACE FUNCTION kp_memory.add_%1$s(
  p_after bigint, p_fence uuid, p_operations uuid[], p_kinds smallint[], p_keys text[],
  p_vectors bytea, p_most integer
) RETURNS TABLE (
  "at" double precision, kind smallint, operation uuid, added_at double precision, key text,
  vector bytea
) LANGUAGE plpgsql VOLATILE AS $add$
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
    WHERE id = %1$s RETURNING head - v_amount, pruned, dimensions * 4, operation_before
    INTO v_head, v_pruned, v_bytes, v_before;
  IF NOT FOUND THEN RAISE EXCEPTION 'no namespace' USING ERRCODE = 'KP003'; END IF;
  IF p_after <> v_head OR p_fence IS DISTINCT FROM v_before THEN
    PERFORM kp_memory.check_mark(%1$s, p_after, p_fence, v_pruned);
  END IF;
  v_now := floor(extract(epoch FROM clock_timestamp()) * 1000);
  INSERT INTO kp_memory.log_%1$s (space, position, kind, operation, added_at, key, vector)
    SELECT %1$s, v_head + new.i, new.kind, new.operation, v_now, new.key,
      substring(p_vectors FROM (new.i::integer - 1) * v_bytes + 1 FOR v_bytes)
    FROM unnest(p_operations, p_kinds, p_keys) WITH ORDINALITY AS new (operation, kind, key, i);
  IF v_head - greatest(p_after, v_pruned) BETWEEN 1 AND p_most THEN
    RETURN QUERY
      SELECT l.position::double precision, l.kind, l.operation, l.added_at, l.key, l.vector
      FROM kp_memory.log_%1$s l
      WHERE l.space = %1$s AND l.position > p_after AND l.position <= v_head ORDER BY l.position;
  END IF;
  RETURN QUERY
    SELECT (v_head + 1)::double precision, 2::smallint, NULL::uuid, v_now, '', NULL::bytea;
END $add$
$format$, p_space);
END $make$;

SELECT kp_memory.make_log(id) FROM kp_memory.space WHERE index_kind = 'log';
`;
