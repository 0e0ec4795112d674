/**
 * The functions that write to a namespace; each locks the row of the namespace in `space`.
 *
 * @param settings - language and search path of each function.
 */
export function writeFunctions(settings: string): string {
  return `
CREATE OR REPLACE FUNCTION kp_memory.hnsw_enter(p_space integer, OUT entered kp_memory.space)
${settings} AS $$
BEGIN
  SELECT * INTO entered FROM kp_memory.space s WHERE s.id = p_space FOR UPDATE;
  IF entered.id IS NULL THEN RAISE EXCEPTION 'no namespace' USING ERRCODE = 'KP003'; END IF;
  IF EXISTS (SELECT FROM kp_memory.move m WHERE m.source = p_space) THEN
    RAISE EXCEPTION 'the namespace is being moved to a log, and takes nothing until it is there'
      USING ERRCODE = 'KP005';
  END IF;
END $$;

CREATE OR REPLACE FUNCTION kp_memory.hnsw_age(INOUT p_space kp_memory.space, p_now double precision)
${settings} AS $$
DECLARE
  v_gone bigint;
BEGIN
  p_space.age := p_space.age + greatest(0, p_now - coalesce(p_space.clock, p_now));
  p_space.clock := p_now;
  IF p_space.ttl_ms IS NULL THEN RETURN; END IF;
  EXECUTE format('DELETE FROM kp_memory.hnsw_%s WHERE born <= $1', p_space.id)
    USING p_space.age - p_space.ttl_ms;
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  p_space.entries := p_space.entries - v_gone;
END $$;

CREATE OR REPLACE FUNCTION kp_memory.hnsw_put(
  INOUT p_space kp_memory.space, p_place bigint, p_position bigint, p_operation uuid, p_key text,
  p_vector vector, p_nearest bigint, p_similarity double precision, p_compared double precision
) ${settings} AS $$
DECLARE
  v_gone bigint;
BEGIN
  IF p_place <> p_position THEN
    EXECUTE format('DELETE FROM kp_memory.hnsw_%s WHERE key = $1', p_space.id) USING p_key;
    GET DIAGNOSTICS v_gone = ROW_COUNT;
    p_space.entries := p_space.entries - v_gone;
  END IF;
  EXECUTE format(
    'INSERT INTO kp_memory.hnsw_%s (position, place, operation, key, added_at, born, nearest,
       similarity, compared, vector) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', p_space.id)
    USING p_position, p_place, p_operation, p_key, p_space.clock, p_space.age, p_nearest,
      p_similarity, p_compared, p_vector;
  p_space.entries := p_space.entries + 1;
  IF p_space.entries > p_space.max_elements THEN
    EXECUTE format(
      'DELETE FROM kp_memory.hnsw_%1$s WHERE position IN
         (SELECT position FROM kp_memory.hnsw_%1$s ORDER BY position LIMIT $1)', p_space.id)
      USING p_space.entries - p_space.max_elements;
    p_space.entries := p_space.max_elements;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION kp_memory.hnsw_save(p_space kp_memory.space) RETURNS void ${settings} AS $$
  BEGIN
    UPDATE kp_memory.space SET head = p_space.head, entries = p_space.entries, age = p_space.age,
      clock = p_space.clock WHERE id = p_space.id;
  END $$;

CREATE OR REPLACE FUNCTION kp_memory.hnsw_append(
  p_space integer, p_operations uuid[], p_replaces boolean[], p_asked boolean[], p_keys text[],
  p_vectors vector[]
) RETURNS TABLE (key text, similarity double precision, compared double precision) ${settings} AS $$
#variable_conflict use_column
DECLARE
  v_space kp_memory.space := kp_memory.hnsw_enter(p_space);
  v_known record;
  v_found record;
  v_compared double precision;
  v_select text;
BEGIN
  PERFORM kp_memory.hnsw_prepare();
  v_space := kp_memory.hnsw_age(v_space, kp_memory.now_ms());
  v_select := format(
    'SELECT place, nearest, similarity, compared, vector = $2 AS is_same, count(*) OVER () AS amount
     FROM kp_memory.hnsw_%s WHERE ', p_space);
  FOR i IN 1 .. cardinality(p_operations) LOOP
    EXECUTE v_select || 'operation = $1' INTO v_known USING p_operations[i], p_vectors[i];
    IF v_known.place IS NULL AND p_replaces[i] THEN
      EXECUTE v_select || 'key = $1 ORDER BY place LIMIT 1' INTO v_known
        USING p_keys[i], p_vectors[i];
    ELSE
      v_known.is_same := true;
      v_known.amount := 1;
    END IF;
    v_found := NULL;
    IF v_known.place IS NOT NULL AND v_known.is_same AND v_known.amount = 1 THEN
      RETURN QUERY SELECT a.key, a.similarity, a.compared FROM kp_memory.hnsw_answer(p_space,
        v_space.dimensions, p_vectors[i], v_known.place, v_known.nearest, NULL, v_known.similarity,
        v_known.compared) a;
      CONTINUE;
    END IF;
    IF p_asked[i] AND v_space.entries > 0 THEN
      v_found := kp_memory.hnsw_find(p_space, v_space.dimensions, p_vectors[i], v_known.place, NULL);
    ELSE
      SELECT NULL::bigint AS "position", NULL::text AS key, NULL::float8 AS similarity INTO v_found;
    END IF;
    v_compared := coalesce(v_known.compared, v_space.entries);
    v_space.head := v_space.head + 1;
    v_space := kp_memory.hnsw_put(v_space, coalesce(v_known.place, v_space.head), v_space.head,
      p_operations[i], p_keys[i], p_vectors[i], v_found.position, v_found.similarity, v_compared);
    RETURN QUERY SELECT v_found.key, v_found.similarity,
      CASE WHEN v_found.key IS NULL THEN 0 ELSE v_compared END;
  END LOOP;
  PERFORM kp_memory.hnsw_save(v_space);
END $$;

CREATE OR REPLACE FUNCTION kp_memory.hnsw_erase(p_space integer, p_key text, p_operation uuid)
RETURNS integer
${settings} AS $$
DECLARE
  v_space kp_memory.space := kp_memory.hnsw_enter(p_space);
  v_gone integer;
BEGIN
  EXECUTE format('DELETE FROM kp_memory.hnsw_%s WHERE key = $1', p_space) USING p_key;
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  IF v_gone = 0 THEN
    SELECT e.removed INTO v_gone FROM kp_memory.erasure e WHERE e.operation = p_operation;
    RETURN coalesce(v_gone, 0);
  END IF;
  INSERT INTO kp_memory.erasure VALUES (p_operation, p_space, v_gone, '{}', 0);
  v_space.entries := v_space.entries - v_gone;
  PERFORM kp_memory.hnsw_save(v_space);
  RETURN v_gone;
END $$;

-- Takes rows of a log after what was copied, as a process that reads the log would; false when
-- another has copied meanwhile. The move's row is the queue of all who copy.
CREATE OR REPLACE FUNCTION kp_memory.hnsw_take(
  p_source integer, p_copied bigint, p_positions bigint[], p_kinds smallint[], p_operations uuid[],
  p_added double precision[], p_keys text[], p_vectors vector[]
) RETURNS boolean ${settings} AS $$
DECLARE
  v_move kp_memory.move;
  v_space kp_memory.space;
  v_first record;
  v_gone bigint;
BEGIN
  SELECT * INTO v_move FROM kp_memory.move m WHERE m.source = p_source FOR UPDATE;
  IF v_move.copied IS DISTINCT FROM p_copied THEN RETURN false; END IF;
  SELECT * INTO v_space FROM kp_memory.space s WHERE s.id = v_move.target FOR UPDATE;
  FOR i IN 1 .. cardinality(p_positions) LOOP
    v_space.head := p_positions[i];
    v_space := kp_memory.hnsw_age(v_space, p_added[i]);
    IF p_kinds[i] = 3 THEN
      EXECUTE format(
        'DELETE FROM kp_memory.hnsw_%1$s WHERE key IN (SELECT key FROM kp_memory.hnsw_%1$s
           WHERE position = ANY ($1) OR place = ANY ($1))', v_space.id)
        USING ARRAY(SELECT jsonb_array_elements_text(p_keys[i]::jsonb)::bigint);
      GET DIAGNOSTICS v_gone = ROW_COUNT;
      v_space.entries := v_space.entries - v_gone;
    END IF;
    IF p_vectors[i] IS NULL OR p_kinds[i] > 1 THEN CONTINUE; END IF;
    v_first := NULL;
    EXECUTE format(
      'SELECT place, compared, vector = $2 AS is_same, count(*) OVER () AS amount
       FROM kp_memory.hnsw_%s WHERE $3 AND key = $1 ORDER BY place LIMIT 1', v_space.id)
      INTO v_first USING p_keys[i], p_vectors[i], p_kinds[i] = 1;
    IF v_first.is_same AND v_first.amount = 1 THEN CONTINUE; END IF;
    v_space := kp_memory.hnsw_put(v_space, coalesce(v_first.place, p_positions[i]), p_positions[i],
      p_operations[i], p_keys[i], p_vectors[i], NULL, NULL,
      coalesce(v_first.compared, v_space.entries));
  END LOOP;
  PERFORM kp_memory.hnsw_save(v_space);
  UPDATE kp_memory.move SET copied = v_space.head WHERE source = p_source;
  RETURN true;
END $$;
`;
}
