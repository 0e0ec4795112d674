import { codeOf, importOptional, LONGEST_TIMER_MS, messageOf, withTimeout } from '@kp/foundation';
import { MemoryStoreError } from '../errors.ts';
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

// One connection appends and reads, one maintains, and one is spare.
const MAX_CONNECTIONS = 3;

/**
 * Creates a pool for one memory.
 *
 * @param connectMs - time-out of a connection attempt; ending a pool waits for it too.
 * @throws `DependencyError` when `pg` is not installed.
 */
export async function createPool(url: string, connectMs: number): Promise<PostgresPool> {
  const module = await importOptional({
    packages: 'pg',
    neededFor: 'memories in Postgres',
    load: () => import('pg'),
  });
  const pool = new module.default.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
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

/** Like {@link query}, for several statements on one connection. */
export async function withClient<T>(
  pool: PostgresPool,
  deadline: number,
  task: (client: PostgresClient) => Promise<T>,
): Promise<T> {
  const connecting = pool.connect();
  const client = await beforeDeadline(connecting, deadline, 'no connection').catch((error) => {
    // A connection that arrives too late goes back to the pool.
    connecting.then((late) => late.release()).catch(() => undefined);
    throw transient(error);
  });
  // A connection that is lost says so twice: the statement fails as well.
  client.on('error', ignore);
  try {
    const result = await beforeDeadline(task(client), deadline, 'no answer');
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

function beforeDeadline<T>(promise: Promise<T>, deadline: number, missing: string): Promise<T> {
  const left = Math.max(0, deadline - performance.now());
  return withTimeout(promise, left, () => new TransientError(`${missing} in time`));
}

function isOfServer(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return /^[\dA-Z]{5}$/.test(code) && Reflect.get(Object(error), 'severity') !== undefined;
}

function isConnectionLost(error: unknown): boolean {
  return /^(08|57P)/.test(codeOf(error) ?? '');
}

// Connection, shutdown, start-up, too many clients, deadlock, serialisation, lock and statement
// time-outs, a server that has just become a standby.
const PASSING = /^(08|57P|53300|40001|40P01|55P03|57014|25006|E[A-Z]+$)/;

function transient(error: unknown): unknown {
  if (error instanceof TransientError || error instanceof MemoryStoreError) return error;
  const code = codeOf(error) ?? '';
  const isLost = /connection|terminated|timeout|socket/i.test(messageOf(error));
  if (PASSING.test(code) || (!isOfServer(error) && isLost)) {
    return new TransientError(messageOf(error), { cause: error });
  }
  return error;
}
