/** The methods of a `Pool` of the package `pg` that we use. */
export interface PostgresPool {
  /** Takes a connection until it is released. */
  connect(): Promise<PostgresClient>;
  /** Closes all connections. */
  end(): Promise<void>;
  /**
   * Adds a listener.
   *
   * @param event - the only event we use.
   * @param listener - called when an idle connection breaks.
   */
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The members of a connection of the package `pg` that we use. */
export interface PostgresClient {
  /** True: queries are sent without waiting for the answers to those before (`pg` 8.22). */
  readonly pipeline?: boolean;
  /** Host name or address of the server, for a cancel request. */
  readonly host?: string;
  /** TCP port of the server. */
  readonly port?: number;
  /** Id of the server process of this connection, for a cancel request. */
  readonly processID?: number | null;
  /** Key that authorizes a cancel request. */
  readonly secretKey?: number | null;
  /**
   * Runs one statement.
   *
   * @param statement - SQL with `$1`, `$2` …; a named one stays prepared on the connection.
   * @param values - the parameters.
   */
  query(
    statement: string | PreparedStatement,
    values?: unknown[],
  ): Promise<{ readonly rows: unknown[] }>;
  /**
   * Returns the connection to its pool.
   *
   * @param isBroken - true: the pool closes the connection.
   */
  release(isBroken?: boolean): void;
  /**
   * Adds a listener.
   *
   * @param event - `error` when the connection breaks; `notice` for messages of the server.
   * @param listener - receives the error or message.
   */
  on(event: 'error' | 'notice', listener: (message: Error) => void): unknown;
  /**
   * Removes a listener.
   *
   * @param event - the event it was added for.
   * @param listener - the same function that was added.
   */
  removeListener(event: 'error' | 'notice', listener: (message: Error) => void): unknown;
}

/** A statement that each connection prepares once. */
export interface PreparedStatement {
  /** Unique among all statements of the connection. */
  readonly name: string;
  readonly text: string;
}
