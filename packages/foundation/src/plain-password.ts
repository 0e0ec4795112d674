/** The properties of a server connection that decide whether others can read its password. */
export interface ServerConnection {
  /** Host name, address or path of a Unix socket. Empty or omitted: this machine. */
  readonly host?: string | null;
  /** Empty or omitted: the connection sends no password. */
  readonly password?: unknown;
  /** Whether TLS encrypts the connection. */
  readonly isEncrypted: boolean;
}

/** Names and addresses of this machine, which never leave it. */
const THIS_MACHINE =
  /^(?:localhost\.?|127(?:\.\d{1,3}){1,3}|::1|(?:0{1,4}:){7}0{0,3}1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|::)$/i;

/**
 * Returns a warning for a connection that sends a password over a network without TLS; undefined
 * for any other connection. Host names are compared as text and not looked up, so another name of
 * this machine also gets the warning.
 *
 * @param connection - the connection as it is opened, including settings from the environment.
 * @param remedy - how to use TLS there.
 */
export function plainPasswordWarning(
  connection: ServerConnection,
  remedy: string,
): string | undefined {
  const { host, password, isEncrypted } = connection;
  if (isEncrypted || password === undefined || password === null || password === '') {
    return undefined;
  }
  const name = (host ?? '').replace(/^\[(.*)\]$/, '$1');
  // Unix sockets: a path, or `@` and an abstract name.
  if (name === '' || /^[/@]/.test(name) || THIS_MACHINE.test(name)) return undefined;
  return `the password for ${name} and all data are sent without TLS; ${remedy}`;
}
