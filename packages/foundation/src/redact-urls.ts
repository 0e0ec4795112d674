const MASK = '***';

/** Parameters whose value is a secret, in lower case and without `_`, `-` and `.`. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set([
  ...['accesskey', 'accesstoken', 'apikey', 'auth', 'authtoken', 'authorization', 'clientsecret'],
  ...['credential', 'key', 'pass', 'passphrase', 'passwd', 'password', 'pw', 'pwd', 'secret'],
  ...['secretkey', 'sharedaccesskey', 'sig', 'signature', 'sslpassword', 'token'],
]);

/** A scheme and what follows it up to white space, a quote or the next scheme. */
const URL_LIKE = /(?:\b[a-z][a-z\d+.-]{0,30}:)?\/\/(?:(?![a-z][a-z\d+.-]{0,30}:\/\/)[^\s"'`<>])+/gi;
/** A name and a value, as in a query, a fragment or a connection string of keywords. */
const PARAMETER =
  /(?<name>[\w.%-]{2,40})(?<sign>\s{0,4}=\s{0,4})(?<value>'(?:[^'\\]|\\.){0,300}'|"[^"]{0,300}"|["']?[^\s&;#'"<>]+)/g;
/** `user:password with a blank@host`, which {@link URL_LIKE} would cut at the blank. */
const PASSWORD_WITH_BLANK =
  /(?<start>\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s/?#@:]*:)(?!\d{1,5}(?:[\s/?#]|$))[^\s@]{0,99}[^\S\n][^\n@]{0,99}@/gi;

/**
 * Replaces the secrets in the URLs and connection strings of a text by `***`: passwords, user names
 * of HTTP URLs without a password (which are tokens), and parameters such as `?password=`. A
 * password may contain `/`, `@` and `:`; a path that may be a password is also replaced.
 *
 * @param text - any text, such as an error message.
 */
export function redactUrls(text: string): string {
  return text
    .replace(PASSWORD_WITH_BLANK, `$<start>${MASK}@`)
    .replace(URL_LIKE, redactUserinfo)
    .replace(PARAMETER, (whole, name: string, sign: string) => {
      return isSecretParameter(name) ? `${name}${sign}${MASK}` : whole;
    });
}

function redactUserinfo(url: string): string {
  const start = url.indexOf('//') + 2;
  const end = url.lastIndexOf('@');
  if (end < start) return url;
  const isHttp = /^https?:/i.test(url);
  const userinfo = url.slice(start, end);
  const rest = url.slice(end);
  // Whether an @ is in the path or the query of a URL with a plain host, with or without a port.
  if (isHttp && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?[/?#]/i.test(userinfo)) return url;
  const colon = userinfo.indexOf(':');
  if (colon === -1) return isHttp ? `${url.slice(0, start)}${MASK}${rest}` : url;
  if (colon === userinfo.length - 1) return url;
  return `${url.slice(0, start + colon + 1)}${MASK}${rest}`;
}

function isSecretParameter(name: string): boolean {
  return SECRET_PARAMETERS.has(decoded(name).toLowerCase().replace(/[_.-]/g, ''));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

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
