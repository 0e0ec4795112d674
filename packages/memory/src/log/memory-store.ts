/** A namespace of a store, as it is without opening it. */
export interface NamespaceFacts {
  /** Name of the namespace. */
  readonly namespace: string;
  /** The embedder whose vectors it holds. */
  readonly embedderId: string;
  /** Length of its vectors. */
  readonly dimensions: number;
  /** Maximum number of entries. */
  readonly maxElements: number;
  /** Null: nothing expires. */
  readonly ttlMs: number | null;
  /** `log`: searched in each process. `hnsw`: searched on the server. */
  readonly index: 'log' | 'hnsw';
  /** Rows in the store: entries, erased ones, and those that make room for newer ones soon. */
  readonly rows: number;
  /** About how many bytes it takes; null where the server does not tell. */
  readonly bytes: number | null;
  /** When a row was appended last, in milliseconds since 1970; null for an empty namespace. */
  readonly lastAppendedAt: number | null;
}

/** All namespaces of a store, whatever embedder filled them. */
export interface MemoryStore {
  /** The database. */
  readonly engine: 'sqlite' | 'postgres' | 'redis';
  /** By name. */
  namespaces(): Promise<readonly NamespaceFacts[]>;
  /**
   * Deletes a namespace. Memories that have it open reject from then on with `MEMORY_LOCATION`.
   *
   * @param namespace - name of the namespace.
   * @returns false if there is none of that name.
   */
  drop(namespace: string): Promise<boolean>;
  /** Closes the connections of the store. */
  close(): Promise<void>;
}
