import { MemoryStoreError, messageOf } from '../errors.ts';
import { TransientError } from '../log/log.ts';

/** What we use of a `Pool` of the package `pg`. */
export interface PostgresPool {
  /** A connection of one's own, until it is released. */
  connect(): Promise<PostgresClient>;
  /** Closes all connections. */
  end(): Promise<void>;
  /**
   * Adds a listener.
   *
   * @param event - `error`.
   * @param listener - told when an idle connection breaks.
   */
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** What we use of a connection of the package `pg`. */
export interface PostgresClient {
  /**
   * Runs one statement.
   *
   * @param statement - SQL with `$1`, `$2` …; with a name the server keeps it ready for the next time.
   * @param values - one for each of them.
   */
  query(
    statement: string | PreparedStatement,
    values?: unknown[],
  ): Promise<{ readonly rows: unknown[] }>;
  /**
   * Gives the connection back to its pool.
   *
   * @param isBroken - true: closed rather than used again.
   */
  release(isBroken?: boolean): void;
  /**
   * Adds a listener.
   *
   * @param event - `error`.
   * @param listener - told when the connection breaks.
   */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /**
   * Takes a listener out.
   *
   * @param event - `error`.
   * @param listener - the one that was added.
   */
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

/** A statement that each connection prepares once. */
export interface PreparedStatement {
  /** Of no other statement. */
  readonly name: string;
  /** As of one without a name. */
  readonly text: string;
}

/** Few are needed: what waits for the log waits in one row, and pruning goes beside it. */
const MOST_CONNECTIONS = 3;
/** What is longer ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * A pool of our own.
 *
 * @param connectMs - how long a server may take to let it in: to end, a pool waits for that too.
 * @throws {@link MemoryStoreError} `DEPENDENCY_MISSING` when `pg` is not installed.
 */
export async function createPool(url: string, connectMs: number): Promise<PostgresPool> {
  let module: typeof import('pg');
  try {
    module = await import('pg');
  } catch (cause) {
    throw new MemoryStoreError({
      code: 'DEPENDENCY_MISSING',
      subject: 'Postgres',
      expected: 'the optional peer dependency pg',
      received: messageOf(cause),
      remedy: 'install it: npm install pg',
      cause,
    });
  }
  const pool = new module.default.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: Math.min(Math.ceil(connectMs), LONGEST_TIMER_MS),
    application_name: 'kp-memory',
    keepAlive: true,
    allowExitOnIdle: true,
  });
  return pool as unknown as PostgresPool;
}

/**
 * One statement on a connection of its own. A connection that did not answer in time is closed, as
 * it may still be busy.
 *
 * @throws {@link TransientError} for what may pass, and for silence until the deadline.
 */
export async function query<T>(
  pool: PostgresPool,
  deadline: number,
  statement: string | PreparedStatement,
  values: unknown[] = [],
): Promise<T[]> {
  return withClient(pool, deadline, async (client) => {
    const { rows } = await client.query(statement, values);
    return rows as T[];
  });
}

/** As {@link query}, for several statements on one connection. */
export async function withClient<T>(
  pool: PostgresPool,
  deadline: number,
  task: (client: PostgresClient) => Promise<T>,
): Promise<T> {
  const connecting = pool.connect();
  const client = await inTime(connecting, deadline, 'no connection').catch((error) => {
    // One that comes too late goes back.
    connecting.then((late) => late.release()).catch(() => undefined);
    throw transient(error);
  });
  // A connection that is lost says so twice: the statement fails as well.
  client.on('error', ignore);
  try {
    const result = await inTime(task(client), deadline, 'no answer');
    giveBack(client);
    return result;
  } catch (error) {
    // An error that the server told of leaves the connection sound.
    if (isOfServer(error) && !isConnectionLost(error)) giveBack(client);
    else client.release(true);
    throw transient(error);
  }
}

function giveBack(client: PostgresClient): void {
  client.removeListener('error', ignore);
  client.release();
}

const ignore = (): undefined => undefined;

async function inTime<T>(promise: Promise<T>, deadline: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const left = Math.max(0, deadline - performance.now());
    timer = setTimeout(() => reject(new TransientError(`${what} in time`)), left);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
  }
}

/** The code of Postgres (five characters) or of the system; empty when there is none. */
export function codeOf(error: unknown): string {
  return String(Reflect.get(Object(error), 'code') ?? '');
}

function isOfServer(error: unknown): boolean {
  return /^[\dA-Z]{5}$/.test(codeOf(error)) && Reflect.get(Object(error), 'severity') !== undefined;
}

function isConnectionLost(error: unknown): boolean {
  return /^(08|57P)/.test(codeOf(error));
}

// Connection, shutdown, start-up, too many clients, deadlock, serialisation, lock and statement
// time-outs, a server that has just become a standby.
const PASSING = /^(08|57P|53300|40001|40P01|55P03|57014|25006|E[A-Z]+$)/;

function transient(error: unknown): unknown {
  if (error instanceof TransientError || error instanceof MemoryStoreError) return error;
  const code = codeOf(error);
  const isLost = /connection|terminated|timeout|socket/i.test(messageOf(error));
  if (PASSING.test(code) || (!isOfServer(error) && isLost)) {
    return new TransientError(messageOf(error), { cause: error });
  }
  return error;
}
