/** A namespace of a store, as it is without opening it. */
export interface NamespaceFacts {
  readonly namespace: string;
  readonly embedderId: string;
  readonly dimensions: number;
  readonly maxElements: number;
  /** Null: nothing expires. */
  readonly ttlMs: number | null;
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
  readonly engine: 'sqlite' | 'postgres' | 'redis';
  /** By name. */
  namespaces(): Promise<readonly NamespaceFacts[]>;
  /**
   * Deletes a namespace. Memories that have it open reject from then on with `MEMORY_LOCATION`.
   *
   * @returns false if there is none of that name.
   */
  drop(namespace: string): Promise<boolean>;
  close(): Promise<void>;
}
