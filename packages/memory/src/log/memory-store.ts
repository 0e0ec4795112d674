/** A description of a namespace, read without opening it. */
export interface NamespaceFacts {
  /** Name of the namespace. */
  readonly namespace: string;
  /** The embedder of its vectors. */
  readonly embedderId: string;
  /** Length of its vectors. */
  readonly dimensions: number;
  /** Maximum number of entries. */
  readonly maxElements: number;
  /** Null: nothing expires. */
  readonly ttlMs: number | null;
  /** `log`: searched in each process. `hnsw`: searched on the server. */
  readonly index: 'log' | 'hnsw';
  /**
   * Number of rows in the store: those of entries, erased rows, and rows that will be deleted soon.
   */
  readonly rows: number;
  /** Approximate size in bytes; null if the server does not report it. */
  readonly bytes: number | null;
  /** Time of the last append, in milliseconds since 1970; null for an empty namespace. */
  readonly lastAppendedAt: number | null;
}

/** Lists all namespaces of a store, regardless of their embedders. */
export interface MemoryStore {
  /** The database. */
  readonly engine: 'sqlite' | 'postgres' | 'redis';
  /** By name. */
  namespaces(): Promise<readonly NamespaceFacts[]>;
  /**
   * The names of the namespaces that contain a key.
   *
   * @param keys - as the store has them; see {@link DurableMemory.storedKey}.
   */
  namespacesWith(keys: readonly string[]): Promise<readonly string[]>;
  /**
   * Deletes a namespace. Open memories on it then reject all calls with `MEMORY_LOCATION`.
   *
   * @param namespace - name of the namespace.
   * @returns false if it does not exist.
   */
  drop(namespace: string): Promise<boolean>;
  /** Closes the connections of the store. */
  close(): Promise<void>;
}
