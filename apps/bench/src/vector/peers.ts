import { type ContenderFactory, contenderOf, type VectorSet } from './contenders.ts';

interface Usearch {
  exactSearch(
    vectors: Float32Array,
    query: Float32Array,
    dimensions: number,
    count: number,
    metric: string,
    threads: number,
  ): { distances: Float32Array };
}

interface Simsimd {
  cosine(a: Float32Array, b: Float32Array): number;
}

interface Hnswlib {
  BruteforceSearch: new (
    space: string,
    dimensions: number,
  ) => {
    initIndex(count: number): void;
    addPoint(vector: number[], label: number): void;
    searchKnn(vector: number[], k: number): { distances: number[] };
  };
}

/** usearch, the exact search of the whole set in one call, on one thread. */
export const usearch: ContenderFactory = async (set) => {
  const library = await installed<Usearch>('usearch');
  if (library === undefined) return undefined;
  return contenderOf('usearch exact', set, (query) => {
    const found = library.exactSearch(set.vectors, query, set.dimensions, 1, 'cos', 1);
    return 1 - (found.distances[0] as number);
  });
};

/** simsimd, a call a pair. */
export const simsimd: ContenderFactory = async (set) => {
  const library = await installed<Simsimd>('simsimd');
  if (library === undefined) return undefined;
  const rows = rowsOf(set);
  return contenderOf('simsimd, a call a pair', set, (query) => {
    let best = -1;
    for (const row of rows) best = Math.max(best, 1 - library.cosine(row, query));
    return best;
  });
};

/** hnswlib's brute force. */
export const hnswlib: ContenderFactory = async (set) => {
  const library = await installed<Hnswlib>('hnswlib');
  if (library === undefined) return undefined;
  const index = new library.BruteforceSearch('ip', set.dimensions);
  index.initIndex(set.count);
  for (const [label, row] of rowsOf(set).entries()) index.addPoint(Array.from(row), label);
  const queries = new Map(set.queries.map((query) => [query, Array.from(query)]));
  return contenderOf('hnswlib brute force', set, (query) => {
    const found = index.searchKnn(queries.get(query) as number[], 1);
    return 1 - (found.distances[0] as number);
  });
};

/** sqlite-vec, a virtual table in memory. */
export const sqliteVec: ContenderFactory = async (set) => {
  const library = await installed<{ getLoadablePath(): string }>('sqlite-vec');
  const database = library && (await openDatabase(library.getLoadablePath()));
  if (database === undefined) return undefined;
  database.run(
    `CREATE VIRTUAL TABLE vectors USING vec0(vector float[${set.dimensions}] distance_metric=cosine)`,
  );
  database.run('BEGIN');
  const insert = database.prepare('INSERT INTO vectors(vector) VALUES (?)');
  for (const row of rowsOf(set)) insert(bytesOf(row));
  database.run('COMMIT');
  const select = database.prepare(
    'SELECT distance FROM vectors WHERE vector MATCH ? AND k = 1 ORDER BY distance',
  );
  const query = (vector: Float32Array) => 1 - (select(bytesOf(vector))?.distance as number);
  return contenderOf('sqlite-vec', set, query, () => database.close());
};

// hnswlib-node is compiled on installation, which not every machine can; whoever has it adds it.
const HNSWLIB: string = 'hnswlib-node';
const LIBRARIES: Record<string, () => Promise<unknown>> = {
  usearch: () => import('usearch'),
  simsimd: () => import('simsimd'),
  hnswlib: () => import(HNSWLIB),
  'sqlite-vec': () => import('sqlite-vec'),
};
const leftOut = new Set<string>();

/** The library, or undefined when it is not installed or does not load on this machine. */
async function installed<T>(name: keyof typeof LIBRARIES): Promise<T | undefined> {
  if (leftOut.has(name)) return undefined;
  try {
    const module = (await LIBRARIES[name]?.()) as T & { default?: T };
    return module.default ?? module;
  } catch (cause) {
    leftOut.add(name);
    process.stderr.write(`${name}: left out (${cause instanceof Error ? cause.message : cause})\n`);
    return undefined;
  }
}

function rowsOf({ vectors, dimensions, count }: VectorSet): Float32Array[] {
  return Array.from({ length: count }, (_, row) =>
    vectors.slice(row * dimensions, (row + 1) * dimensions),
  );
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** What the comparison needs of a database; each runtime has its own. */
interface Database {
  run(sql: string): void;
  /** Answers the first row, if any. */
  prepare(sql: string): (value: Uint8Array) => { distance?: number } | undefined;
  close(): void;
}

interface Statement {
  get(value: Uint8Array): { distance?: number } | null | undefined;
}

interface BunDatabase {
  run(sql: string): void;
  query(sql: string): Statement;
  loadExtension(path: string): void;
  close(): void;
}

interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  loadExtension(path: string): void;
  close(): void;
}

/** A database in memory with the extension loaded; undefined on a runtime that has no SQLite. */
async function openDatabase(extension: string): Promise<Database | undefined> {
  if (process.versions.bun !== undefined) {
    const module: string = 'bun:sqlite';
    const { Database } = (await import(module)) as { Database: new (file: string) => BunDatabase };
    const database = new Database(':memory:');
    database.loadExtension(extension);
    return {
      run: (sql) => database.run(sql),
      prepare: (sql) => first(database.query(sql)),
      close: () => database.close(),
    };
  }
  if (Number(process.versions.node.split('.')[0]) < 24) return undefined;
  const module: string = 'node:sqlite';
  const { DatabaseSync } = (await import(module)) as {
    DatabaseSync: new (file: string, options: { allowExtension: boolean }) => NodeDatabase;
  };
  const database = new DatabaseSync(':memory:', { allowExtension: true });
  database.loadExtension(extension);
  return {
    run: (sql) => database.exec(sql),
    prepare: (sql) => first(database.prepare(sql)),
    close: () => database.close(),
  };
}

function first(statement: Statement): (value: Uint8Array) => { distance?: number } | undefined {
  return (value) => statement.get(value) ?? undefined;
}
