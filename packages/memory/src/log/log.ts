import { KnowledgePulseError } from '@kp/foundation';
/** What a row of the log does to what is remembered. */
export type RowKind =
  /** Remembers; whatever has the same key stays. */
  | 'add'
  /** Remembers in the place of whatever has the same key. */
  | 'replace'
  /** Was one of the others until its key was forgotten; does nothing. */
  | 'erased'
  /** Takes out what was remembered by the rows whose positions it names. */
  | 'forget';

/** The kinds by number, as stores have them; appended to, never changed. */
export const ROW_KINDS: readonly RowKind[] = ['add', 'replace', 'erased', 'forget'];

/** A row as it is appended. */
export interface NewRow {
  readonly kind: 'add' | 'replace';
  readonly key: string;
  /** A UUID. */
  readonly operationId: string;
  readonly vector: Float32Array;
}

/** A row as it is read. */
export interface LogRow {
  /** From 1, in the order of the log; gaps are allowed. */
  readonly position: number;
  readonly kind: RowKind;
  /** Empty when erased; for `forget` the positions as JSON. */
  readonly key: string;
  /** May be left out of what {@link MemoryLog.read} answers, but not of the last row. */
  readonly operationId: string | undefined;
  /** Milliseconds since 1970, by the clock of whoever gives the positions. */
  readonly addedAt: number;
  /**
   * Bytes are those of a `VectorReader`. Left out of rows that the same call appended, and where
   * there is none.
   */
  readonly vector: Float32Array | Uint8Array | undefined;
}

/**
 * How far a reader has read: the last row it has, by place and by name. The name is the fence: when
 * the log has another row at that place, it is another history (a fail-over lost rows). Without a
 * name it is not known.
 */
export interface LogCursor {
  readonly position: number;
  readonly operationId: string;
}

export const LOG_START: LogCursor = { position: 0, operationId: '' };

export function cursorOf({ position, operationId = '' }: LogRow): LogCursor {
  return { position, operationId };
}

/**
 * `rows`: the rows after the cursor, or the first of them. `behind`: there are too many rows after the
 * cursor, and nothing was appended. `reload`: the log does not continue the rows up to the cursor.
 */
export type LogAnswer =
  | {
      readonly outcome: 'rows';
      readonly rows: readonly LogRow[];
      readonly now: number;
      /** Position of the last row of the log, if the call tells it. */
      readonly head?: number;
    }
  | { readonly outcome: 'behind' }
  | { readonly outcome: 'reload' };

/** The bounds and the embedding space of a namespace, fixed when it is made. */
export interface NamespaceSettings {
  readonly namespace: string;
  readonly embedderId: string;
  readonly dimensions: number;
  readonly maxElements: number;
  /** Infinity: nothing expires. */
  readonly ttlMs: number;
}

/** What is remembered of a trace. */
export interface StoredEntry {
  /** The trace's id, or its hash. */
  readonly key: string;
  /** Of length 1. */
  readonly vector: Float32Array;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
}

/** What was erased, and whether the bytes are gone. */
export interface Erasure {
  /** How many entries were remembered under the key. 0 when an earlier call removed them. */
  readonly removed: number;
  /**
   * `now`: no file of the store contains the bytes. `pending`: a file still contains them. `unknown`:
   * the files of the store that may contain them cannot be seen.
   */
  readonly bytesErased: 'now' | 'pending' | 'unknown';
  /** Why the bytes are not gone, or not known to be gone, and what to do. */
  readonly why?: string;
}

/** What a check of a memory found. */
export interface MemoryCheck {
  /** Number of entries. */
  readonly entries: number;
  /** SHA-256 of the keys and vectors in order: equal for a memory and its restored backup. */
  readonly digest: string;
  /** What is wrong, one sentence each; empty for a sound memory. */
  readonly problems: readonly string[];
}

/** Where the bytes of a text are in the files of a store. */
export interface ByteSearch {
  /** Files and tables that contain it. */
  readonly found: readonly string[];
  /** Where it may be, and this process cannot look. */
  readonly unseen: readonly string[];
}

/** What an engine says of a namespace beyond {@link NamespaceSettings}; plain JSON. */
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;

/** How many rows of others a server returns with {@link MemoryLog.append}. */
export const ROWS_WITH_APPEND = 256;

/**
 * One namespace of a store as an ordered log. An engine is this; the comparison is made in the
 * process. `read` and `append` come one at a time. A call that has no answer by its deadline (by
 * `performance.now()`) gives up by a {@link TransientError}.
 */
export interface MemoryLog {
  readonly engine: string;
  readonly space: NamespaceSettings;
  /** About how many bytes one `read` is to bring; 500,000 when left out. */
  readonly readBytes?: number;
  /** `append` has done its work when it returns its promise: there is no time to use meanwhile. */
  readonly isSynchronous?: boolean;
  /**
   * The rows after the cursor, at most `limit`; none when the cursor is the end. From {@link LOG_START}
   * it begins with the oldest row that is kept.
   */
  read(after: LogCursor, limit: number, deadline: number): Promise<LogAnswer>;
  /**
   * Appends rows in order, in one transaction, and returns the rows after the cursor up to the last
   * of these. If others appended many rows, the answer leaves those out, so that nobody waits while
   * they are sent: then its first row after the cursor does not follow the cursor. Engines whose
   * positions have gaps append nothing instead (`behind`).
   *
   * A row whose operation id is in the log is not appended again. The answer contains it even if it
   * is before the cursor.
   */
  append(rows: readonly NewRow[], after: LogCursor, deadline: number): Promise<LogAnswer>;
  /** Positions may be missing. */
  readonly hasGaps?: boolean;
  /** What is wrong with the store, beyond what reading its rows shows. */
  check(): Promise<readonly string[]>;
  /** Looks for a key in the files of the store. */
  findBytes(key: string): Promise<ByteSearch>;
  /** About how many rows are kept, when that can be told at once. */
  rowsKept?(deadline: number): Promise<number>;
  /**
   * Erases the rows of a key and appends a `forget` row, once for each operation (a UUID). Finishes
   * earlier erasures too.
   */
  erase(key: string, operationId: string, deadline: number): Promise<Erasure>;
  /**
   * Erases the rows of keys that were not appended after a position, and appends a `forget` row; once
   * for each operation.
   *
   * @returns the number of keys.
   */
  forgetKeys(
    keys: readonly string[],
    lastPosition: number,
    operationId: string,
    deadline: number,
  ): Promise<number>;
  /** Deletes rows before a position; a reader whose cursor lies there has to reload. */
  prune(before: number): Promise<void>;
  /** `head` is the position of the last row, 0 if there is none. */
  facts(): Promise<LogFacts & { readonly head: number }>;
  close(): Promise<void>;
}

/** An engine throws it for what may pass, such as a lost connection; the call is made again. */
export class TransientError extends KnowledgePulseError<'MEMORY_TRANSIENT'> {
  constructor(message: string, { cause }: { readonly cause?: unknown } = {}) {
    super(
      {
        name: 'TransientError',
        code: 'MEMORY_TRANSIENT',
        subject: 'memory',
        expected: 'an answer of the store',
        received: message,
        cause,
      },
      message,
    );
  }
}
