/** The number of candidates of the index that are compared exactly. */
const CANDIDATES = 20;
/** Up to this number of entries, all or the oldest, a search compares each entry. */
const EXACT_SCAN_LIMIT = 5000;

/**
 * The functions that search and read a namespace.
 *
 * @param settings - language and search path of each function.
 */
export function searchFunctions(settings: string): string {
  return `
CREATE OR REPLACE FUNCTION kp_memory.hnsw_prepare() RETURNS void ${settings} AS $$
BEGIN
  PERFORM set_config('hnsw.ef_search', '200', true);
  -- Rows that a condition, a deletion or an age leaves out are made up for.
  PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true);
  -- Whatever old statistics say of the size of the table.
  PERFORM set_config('enable_seqscan', 'off', true);
  PERFORM set_config('enable_bitmapscan', 'off', true);
  -- A scan that is off counts as costly, and what is costly would be compiled at each call.
  PERFORM set_config('jit', 'off', true);
END $$;

CREATE OR REPLACE FUNCTION kp_memory.hnsw_find(
  p_space integer, p_dimensions integer, p_vector vector, p_before bigint, p_born double precision,
  OUT "position" bigint, OUT key text, OUT similarity double precision
) ${settings} AS $$
DECLARE
  v_source text := format('kp_memory.hnsw_%s', p_space);
  v_where text := 'true';
  v_first bigint;
BEGIN
  IF p_born IS NOT NULL THEN v_where := v_where || ' AND born + 0 > $3'; END IF;
  -- The graph may have lost its way to an entry; the very same vector is found without it.
  IF vector_norm(p_vector) > 0 THEN
    EXECUTE format(
      'SELECT position, key, 1 FROM (SELECT position, place, key FROM %s
         WHERE vector::real[] = $1::real[] AND %s AND ($2 IS NULL OR place + 0 < $2)
         LIMIT ${CANDIDATES}) AS same ORDER BY place LIMIT 1', v_source, v_where)
      INTO "position", key, similarity USING p_vector, p_before, p_born;
    IF "position" IS NOT NULL THEN RETURN; END IF;
  END IF;
  IF p_before IS NOT NULL THEN
    EXECUTE format('SELECT min(place) FROM %s', v_source) INTO v_first;
  END IF;
  IF (SELECT s.entries <= ${EXACT_SCAN_LIMIT} FROM kp_memory.space s WHERE s.id = p_space) THEN
    IF p_before IS NOT NULL THEN v_where := v_where || ' AND place < $2'; END IF;
  ELSIF p_before - v_first <= ${EXACT_SCAN_LIMIT} THEN
    v_where := v_where || ' AND place < $2';
  ELSE
    -- Conditions as expressions, or their indexes would be read instead of that of vectors.
    IF p_before IS NOT NULL THEN v_where := v_where || ' AND place + 0 < $2'; END IF;
    v_source := format(
      '(SELECT position, place, key, vector, born FROM %1$s WHERE %2$s
        ORDER BY l2_normalize(vector)::halfvec(%3$s) <#> l2_normalize($1)::halfvec(%3$s)
        LIMIT ${CANDIDATES})', v_source, v_where, p_dimensions);
  END IF;
  EXECUTE format(
    'WITH near AS MATERIALIZED (SELECT * FROM %s AS entry WHERE %s)
     SELECT position, key, least(1, -(l2_normalize(vector) <#> l2_normalize($1)))
     FROM near ORDER BY 3 DESC, place LIMIT 1', v_source, v_where)
    INTO "position", key, similarity USING p_vector, p_before, p_born;
END $$;

CREATE OR REPLACE FUNCTION kp_memory.hnsw_answer(
  p_space integer, p_dimensions integer, p_vector vector, p_place bigint, p_nearest bigint,
  INOUT key text, INOUT similarity double precision, INOUT compared double precision
) ${settings} AS $$
BEGIN
  IF p_nearest IS NOT NULL THEN
    EXECUTE format('SELECT key FROM kp_memory.hnsw_%s WHERE position = $1', p_space)
      INTO key USING p_nearest;
  END IF;
  IF key IS NULL AND compared > 0 THEN
    SELECT f.key, f.similarity INTO key, similarity
      FROM kp_memory.hnsw_find(p_space, p_dimensions, p_vector, p_place, NULL) f;
  END IF;
  IF key IS NULL THEN
    similarity := NULL;
    compared := 0;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION kp_memory.hnsw_look(p_space integer, OUT seen kp_memory.space)
${settings} AS $$
BEGIN
  SELECT * INTO seen FROM kp_memory.space s WHERE s.id = p_space;
  IF seen.id IS NULL THEN RAISE EXCEPTION 'no namespace' USING ERRCODE = 'KP003'; END IF;
  seen.age := seen.age + greatest(0, kp_memory.now_ms() - coalesce(seen.clock, kp_memory.now_ms()));
END $$;

CREATE OR REPLACE FUNCTION kp_memory.hnsw_nearest(p_space integer, p_vectors vector[])
RETURNS TABLE (key text, similarity double precision) ${settings} AS $$
DECLARE
  v_space kp_memory.space := kp_memory.hnsw_look(p_space);
BEGIN
  PERFORM kp_memory.hnsw_prepare();
  FOR i IN 1 .. cardinality(p_vectors) LOOP
    RETURN QUERY SELECT f.key, f.similarity FROM kp_memory.hnsw_find(p_space, v_space.dimensions,
      p_vectors[i], NULL, v_space.age - v_space.ttl_ms) f;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION kp_memory.hnsw_size(p_space integer, OUT size double precision)
${settings} AS $$
DECLARE
  v_space kp_memory.space := kp_memory.hnsw_look(p_space);
BEGIN
  size := v_space.entries;
  IF v_space.ttl_ms IS NULL THEN RETURN; END IF;
  EXECUTE format('SELECT $1 - count(*) FROM kp_memory.hnsw_%s WHERE born <= $2', p_space)
    INTO size USING size, v_space.age - v_space.ttl_ms;
END $$;

CREATE OR REPLACE FUNCTION kp_memory.hnsw_list(p_space integer, p_after bigint, p_most integer)
RETURNS TABLE ("at" double precision, key text, added_at double precision, vector text)
${settings} AS $$
DECLARE
  v_space kp_memory.space := kp_memory.hnsw_look(p_space);
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT position::float8, key, added_at, vector::text FROM kp_memory.hnsw_%s
     WHERE position > $1 AND ($2 IS NULL OR born > $2) ORDER BY position LIMIT $3', p_space)
    USING p_after, v_space.age - v_space.ttl_ms, p_most;
END $$;
`;
}
