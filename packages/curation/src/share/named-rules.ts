import { kubernetesSecrets, MARKED, NUMBERED } from './marked-names.ts';
import { isCode, isPlaceholder, isSecretName } from './named-secrets.ts';
import type { SecretRule, Span } from './secret-rule.ts';

const KIND = 'assigned-secret';

// A name, a separator and a quoted value; the quotes may be escaped, as in nested JSON. The value is only looked at,
// because it may be the name of the next value: `login: "password": "x"`.
const QUOTED =
  /(?<![\w-])(?<name>[A-Za-z_][\w.-]{1,60})(?:\\{0,3}["'`])?\s{0,4}(?:=>|:=|[:=])\s{0,4}(?=(?<before>(?:[bruf]{0,2}|\$)(?<quote>\\{0,3}["'`]))(?<value>[^"'`\r\n]{1,300}?)\k<quote>)/g;

// A line of an .env, ini, properties or YAML file, or an assignment before a shell command.
const LINE =
  /^(?:[ \t+>|-]{0,12}|\d{1,6}[\t:│|→-][ \t]{0,8})(?:(?:export|set|setx|ENV|ARG|declare -x)[ \t]{1,4})?(?<name>[A-Za-z_][\w.-]{1,60})(?<separator>[ \t]{0,8}[:=][ \t]{0,8})(?<value>[^\s"'`#;,][^\s"'`;,]{0,300})[ \t]{0,8}(?:#[^\r\n]{0,200})?\r?$/gm;

// `DB_PASSWORD=x cmd`, `docker run -e DB_PASSWORD=x`, `host=db password=x dbname=app`, `Pwd=x;`.
const INLINE =
  /(?<![\w./$-])(?<name>[A-Za-z_][\w-]{1,60})=(?<value>[^\s"'`;,&|<>(){}[\]\\]{1,300})(?=[\s;&|"'`\\]|$)/g;

// `--password x`, `--token=x`, `-DdbPassword=x`; the value may be quoted.
const OPTION =
  /(?<![\w-])--?(?<name>[A-Za-z][\w.-]{1,60})(?:=|\s{1,3})(?<quote>["']?)(?<value>(?!-)[^\s"'`;|&<>,]{1,300})\k<quote>/g;

// A name and a value anywhere in a line; here the value must contain letters and digits. It is only looked at, because
// it may be the name of the next value: `INFO: password: x`.
const ANYWHERE =
  /(?<![\w-])(?<name>[A-Za-z_][\w.-]{1,60})\s{0,3}[:=]{1,2}\s{0,3}(?=(?<value>[^\s"'`,;\\(){}[\]<>]{8,300}))/g;

/** `pass = x` in a section such as `[remote]`, as rclone writes it. */
const PASS_OF_INI =
  /^[ \t]{0,8}pass[ \t]{0,4}=[ \t]{0,4}(?<value>(?=[^\s\d]{0,100}\d)\S{6,300})$/gm;

/** Every name of a secret contains one of these parts. */
const PART_OF_A_NAME =
  /pass|pwd|secret|token|credential|key|jwt|mnemonic|pat|psk|phrase|code|cookie|string|auth|salt|pin/i;

/** Headers that contain secrets although their names do not indicate it. */
const HEADERS = /^(?:proxy-)?authorization$|^(?:set-)?cookie$/i;

/** Finds values with secret names in code, configuration and shell commands. */
export const findNamedSecrets: SecretRule = (text) => {
  const spans: Span[] = [];
  if (!PART_OF_A_NAME.test(text)) return spans;
  for (const match of text.matchAll(QUOTED)) {
    const { name = '', value = '' } = match.groups ?? {};
    if (!isSecretName(name) || isPlaceholder(value) || isSameName(name, value)) continue;
    if (isShortToken(name, value)) continue;
    spans.push(spanAfter(match, value));
  }
  const isIni = /^\[[\w .:-]{1,60}\][ \t]*\r?$/m.test(text);
  for (const match of text.matchAll(LINE)) {
    const { name = '', separator = '', value = '' } = match.groups ?? {};
    if (!isSecretName(name) || isPlaceholder(value) || isCode(value)) continue;
    if (isSameName(name, value) || isShortToken(name, value)) continue;
    const isEnvironment = separator === '=' && /^[A-Z][A-Z\d_]*$|^(?!self|this)\w+\./.test(name);
    if (!isEnvironment && !isIni && isIdentifier(value) && !/^[ \t]*:[ \t]+$/.test(separator))
      continue;
    if (isTypeAnnotation(value)) continue;
    spans.push(spanOf(match, value));
  }
  for (const match of text.matchAll(INLINE)) {
    const { name = '', value = '' } = match.groups ?? {};
    if (!isSecretName(name) || isPlaceholder(value) || isCode(value)) continue;
    if (isSameName(name, value) || isShortToken(name, value)) continue;
    if (name !== name.toUpperCase() && isIdentifier(value) && !isDsn(text, match.index)) continue;
    spans.push(spanOf(match, value));
  }
  for (const match of text.matchAll(OPTION)) {
    const { name = '', value = '' } = match.groups ?? {};
    if (!isSecretName(name) || isPlaceholder(value) || isCode(value)) continue;
    if (isSameName(name, value) || isShortToken(name, value)) continue;
    spans.push(spanOf(match, value));
  }
  for (const pattern of [...MARKED, NUMBERED]) {
    for (const match of text.matchAll(pattern)) {
      const { name = '', plain, value = plain ?? '' } = match.groups ?? {};
      if (!isSecretName(name) && !HEADERS.test(name)) continue;
      if (isPlaceholder(value) || isSameName(name, value) || isShortToken(name, value)) continue;
      spans.push(spanOf(match, value));
    }
  }
  for (const match of kubernetesSecrets(text)) spans.push(spanOf(match, match.groups?.value ?? ''));
  for (const match of isIni ? text.matchAll(PASS_OF_INI) : []) {
    spans.push(spanOf(match, match.groups?.value ?? ''));
  }
  for (const match of text.matchAll(ANYWHERE)) {
    const { name = '', value = '' } = match.groups ?? {};
    if (!isSecretName(name) || isPlaceholder(value) || isCode(value)) continue;
    const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value) && !isNumberedName(value);
    if (isMixed || isDsn(text, match.index)) spans.push(spanAfter(match, value));
  }
  return spans;
};

function spanOf(match: RegExpExecArray, value: string): Span {
  const start = match.index + match[0].lastIndexOf(value);
  return { kind: KIND, start, end: start + value.length };
}

/** The span of a value that a pattern only looks at. */
function spanAfter(match: RegExpExecArray, value: string): Span {
  const start = match.index + match[0].length + (match.groups?.before ?? '').length;
  return { kind: KIND, start, end: start + value.length };
}

/** Whether a token is a short parser token such as `token: "def"` rather than a credential. */
function isShortToken(name: string, value: string): boolean {
  return /^tokens?$/i.test(name) && (value.length < 8 || /^[A-Za-z]{1,12}$/.test(value));
}

function isSameName(name: string, value: string): boolean {
  const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
  const [a, b] = [plain(name), plain(value)];
  return a === b || a.endsWith(b) || b.endsWith(a);
}

/**
 * Whether it is a name with numbers: words with at most two digits each, such as `delta_berth34` or
 * `config.v2`.
 */
function isNumberedName(value: string): boolean {
  return value.split(/[_.:/-]/).every((part) => /^[A-Za-z]*\d{0,2}$/.test(part));
}

/** Whether it may be a variable: only letters and underscores. */
function isIdentifier(value: string): boolean {
  return /^[A-Za-z_][A-Za-z_]*$/.test(value);
}

/**
 * Whether it is a type annotation of a class, function or schema: `password: str`, `token: Token`,
 * `secret: string | null`.
 */
function isTypeAnnotation(value: string): boolean {
  return /^(?:[A-Z]\w*|\w+\?|\w+!)$/.test(value) && !/\d/.test(value);
}

/** Whether adjacent `key=value` pairs indicate a connection string: `host=db password=x`. */
function isDsn(text: string, index: number): boolean {
  const line = text.slice(Math.max(0, index - 200), index + 200);
  return /(?:^|[\s;"'])(?:host|hostaddr|server|data source|dbname|database|user|user id|username|login|uid)(?:=|: )\S/i.test(
    line,
  );
}
