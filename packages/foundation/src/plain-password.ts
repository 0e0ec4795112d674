/** What a connection to a server looks like to whoever reads along. */
export interface ServerConnection {
  /** Host name, address or path of a Unix socket; empty or left out: this machine. */
  readonly host?: string | null;
  /** Empty or left out: none is sent. */
  readonly password?: unknown;
  /** Whether TLS encrypts the connection. */
  readonly isEncrypted: boolean;
}

/** Names and addresses that lead to this machine and never to a network. */
const THIS_MACHINE =
  /^(?:localhost\.?|127(?:\.\d{1,3}){1,3}|::1|(?:0{1,4}:){7}0{0,3}1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|::)$/i;

/**
 * A warning for a connection on which a password, and all that follows it, crosses a network without
 * TLS; undefined for any other connection. Host names are compared as text and not looked up, so that
 * another name of this machine gets the warning too.
 *
 * @param connection - as it is made, with what the environment adds.
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
