/** What the comparison needs of a database; each runtime has its own. */
export interface Database {
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
export async function openDatabase(extension: string): Promise<Database | undefined> {
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
