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
      return isSecretName(name) ? `${name}${sign}${MASK}` : whole;
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

function isSecretName(name: string): boolean {
  return SECRET_PARAMETERS.has(decoded(name).toLowerCase().replace(/[_.-]/g, ''));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
