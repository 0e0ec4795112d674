/** An object of a store, open for reading. */
export interface StoredObject {
  readonly name: string;
  readonly byteLength: number;
  /** @returns Bytes from `start` up to `end`; fewer at the end of the object. */
  slice(start: number, end?: number): Promise<ArrayBuffer>;
  close(): Promise<void>;
}

/** An object that is being written. It cannot be read before `keep`. */
export interface NewObject {
  /** Name under which it will be readable; a store may add to the wanted one. */
  readonly name: string;
  write(chunk: string | Uint8Array): Promise<void>;
  /** Publishes the complete object; replaces one with the same name. */
  keep(): Promise<void>;
  /** Discards the object; does nothing after `keep`. */
  discard(): Promise<void>;
}

/**
 * Named objects that the stages of a corpus exchange, such as the files of a folder. Several
 * processes on several machines may use it concurrently.
 */
export interface Store {
  /** Location of the store, for messages. */
  readonly location: string;
  /** @returns undefined if there is no such object. */
  open(name: string): Promise<StoredObject | undefined>;
  /** Starts an object, whose name may differ for each attempt. */
  begin(name: string): Promise<NewObject>;
  /**
   * Writes a small object atomically, unless one with that name exists. Returns whether this call wrote
   * it, so of several calls one returns true, also if their content is equal.
   */
  create(name: string, content: string): Promise<boolean>;
  /** Lists the names of all objects. */
  list(): Promise<readonly string[]>;
}

/** Reads a small object as text; undefined if there is none. */
export async function readText(store: Store, name: string): Promise<string | undefined> {
  const object = await store.open(name);
  if (object === undefined) return undefined;
  try {
    return Buffer.from(await object.slice(0)).toString();
  } finally {
    await object.close();
  }
}
