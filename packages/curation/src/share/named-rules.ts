import { kubernetesSecrets, MARKED, NUMBERED } from './marked-names.ts';
import {
  hasMixedCharacters,
  isCode,
  isExpression,
  isPlaceholder,
  isSameName,
  isSecretName,
  isShortToken,
  PART_OF_A_NAME,
} from './named-secrets.ts';
import type { SecretRule, Span } from './secret-rule.ts';

const KIND = 'assigned-secret';

// A name and a separator before quotes, which may be escaped, as in nested JSON. The value is only looked at, because
// it may be the name of the next value: `login: "password": "x"`.
const BEFORE_QUOTES =
  /(?<![\w-])(?<name>[A-Za-z_][\w.-]{1,60})(?:\\{0,3}["'`])?\s{0,4}(?:=>|:=|[:=])\s{0,4}(?:[bruf]{0,2}|\$)(?=\\{0,3}["'`])/g;
const IN_QUOTES =
  /(?<quote>\\{0,3}["'`])(?<value>(?:(?!\k<quote>)(?:\\.|[^\\\r\n])){1,4000})\k<quote>/y;

// A line of an .env, ini, properties or YAML file, or an assignment before a shell command.
const LINE =
  /^(?:[ \t+>|-]{0,12}|\d{1,6}[\t:│|→-][ \t]{0,8})(?:(?:export|set|setx|ENV|ARG|declare -x)[ \t]{1,4})?(?<name>[A-Za-z_][\w.-]{1,60})(?<separator>[ \t]{0,8}[:=][ \t]{0,8})(?<value>[^\s"'`#;,][^\s"'`;]{0,4000})[ \t]{0,8}(?:#[^\r\n]{0,200})?\r?$/gm;

// A line of an .env file, whose value may have any characters.
const ENVIRONMENT =
  /^(?:[ \t+>|-]{0,12}|\d{1,6}[\t:│|→-][ \t]{0,8})(?:(?:export|set|setx|ENV|ARG|declare -x)[ \t]{1,4})?(?<name>[A-Z][A-Z\d_]{1,60})=(?<value>[^\s"'`]\S{0,4000})[ \t]{0,8}(?:#[^\r\n]{0,200})?\r?$/gm;

// `DB_PASSWORD=x cmd`, `docker run -e DB_PASSWORD=x`, `host=db password=x dbname=app`, `Pwd=x;`.
const INLINE = /(?<![\w./$-])(?<name>[A-Za-z_][\w-]{1,60})=/g;
const INLINE_VALUE = /(?<value>[^\s"'`;&|<>(){}[\]\\]{1,4000})/y;
const AFTER_INLINE = /^[\s;&|"'`\\]?$/;

// `--password x`, `--token=x`, `-DdbPassword=x`.
const OPTION = /(?<![\w-])--?(?<name>[A-Za-z][\w.-]{1,60})(?:=|\s{1,3})/g;
const OPTION_VALUE =
  /(?<quote>["'])(?<value>(?:(?!\k<quote>)(?:\\.|[^\\\r\n])){1,4000})\k<quote>|(?<plain>(?![-,])[^\s"'`;|&<>]{1,4000})/y;

// A name and a value anywhere in a line; here the value must contain letters and digits. It is only looked at, because
// it may be the name of the next value: `INFO: password: x`.
const ANYWHERE = /(?<![\w-])(?<name>[A-Za-z_][\w.-]{1,60})\s{0,3}[:=]{1,2}\s{0,3}/g;
const ANYWHERE_VALUE = /(?<value>[^\s"'`,;\\(){}[\]<>][^\s"'`;\\(){}[\]<>]{7,4000})/y;

/** `pass = x` in a section such as `[remote]`, as rclone writes it. */
const PASS_OF_INI =
  /^[ \t]{0,8}pass[ \t]{0,4}=[ \t]{0,4}(?<value>(?=[^\s\d]{0,100}\d)\S{6,300})$/gm;

/** Headers that contain secrets although their names do not indicate it. */
const HEADERS = /^(?:proxy-)?authorization$|^(?:set-)?cookie$/i;

/** Finds values with secret names in code, configuration and shell commands. */
export const findNamedSecrets: SecretRule = (text) => {
  const spans: Span[] = [];
  if (!PART_OF_A_NAME.test(text)) return spans;
  for (const { name, value, start } of valuesAfter(text, BEFORE_QUOTES, IN_QUOTES)) {
    if (isSecretOf(name, value) && !isQuotedCode(value)) spans.push(spanAt(start, value));
  }
  const isIni = /^\[[\w .:-]{1,60}\][ \t]*\r?$/m.test(text);
  for (const match of text.matchAll(LINE)) {
    const { name = '', separator = '', value: all = '' } = match.groups ?? {};
    const value = withoutNextPair(all);
    if (!isSecretName(name) || !isSecretOf(name, value) || isCode(value)) continue;
    if (all.includes(',') && !isMixed(value)) continue;
    const isEnvironment = separator === '=' && /^[A-Z][A-Z\d_]*$|^(?!self|this)\w+\./.test(name);
    if (!isEnvironment && !isIni && isIdentifier(value) && !/^[ \t]*:[ \t]+$/.test(separator))
      continue;
    if (isTypeAnnotation(value)) continue;
    spans.push(spanOf(match, value));
  }
  for (const match of text.matchAll(ENVIRONMENT)) {
    const { name = '', value = '' } = match.groups ?? {};
    if (isSecretName(name) && isEnvironmentValue(name, value)) spans.push(spanOf(match, value));
  }
  for (const { name, value: all, start } of valuesAfter(text, INLINE, INLINE_VALUE)) {
    const value = withoutNextPair(all);
    if (!AFTER_INLINE.test(text.charAt(start + all.length))) continue;
    if (!isSecretOf(name, value) || isCode(value)) continue;
    if (all.includes(',') && !isMixed(value)) continue;
    if (name !== name.toUpperCase() && isIdentifier(value) && !isDsn(text, start)) continue;
    spans.push(spanAt(start, value));
  }
  for (const { name, quote, value: all, start } of valuesAfter(text, OPTION, OPTION_VALUE)) {
    const whole = withoutNextPair(all);
    const value = quote !== '' ? all : isMixed(whole) ? whole : whole.replace(/,.*/, '');
    if (isSecretOf(name, value) && !isCode(value)) spans.push(spanAt(start, value));
  }
  for (const pattern of [...MARKED, NUMBERED]) {
    for (const match of text.matchAll(pattern)) {
      const { name = '', plain, value = plain ?? '' } = match.groups ?? {};
      if (!isSecretName(name) && !HEADERS.test(name)) continue;
      if (isSecretOf(name, value) && !isQuotedCode(value)) spans.push(spanOf(match, value));
    }
  }
  for (const match of kubernetesSecrets(text)) spans.push(spanOf(match, match.groups?.value ?? ''));
  for (const match of isIni ? text.matchAll(PASS_OF_INI) : []) {
    spans.push(spanOf(match, match.groups?.value ?? ''));
  }
  for (const { name, value: all, start } of valuesAfter(text, ANYWHERE, ANYWHERE_VALUE)) {
    const value = withoutNextPair(all);
    if (value.length < 8 || !isSecretOf(name, value) || isCode(value)) continue;
    if (isMixed(value) || isDsn(text, start)) spans.push(spanAt(start, value));
  }
  return spans;
};

// `password=password=password=` would read to the end of the value from each of its names.
const MOST_NAMES_IN_A_VALUE = 8;

/** Finds the values after secret names. The name is tested first, because most names are none. */
function* valuesAfter(text: string, names: RegExp, values: RegExp) {
  let end = 0;
  let inside = 0;
  for (const match of text.matchAll(names)) {
    const { name = '' } = match.groups ?? {};
    inside = match.index < end ? inside + 1 : 0;
    if (inside > MOST_NAMES_IN_A_VALUE || !isSecretName(name)) continue;
    values.lastIndex = match.index + match[0].length;
    const { index, groups } = values.exec(text) ?? { index: 0 };
    const { quote = '', value = '', plain = value } = groups ?? {};
    if (plain === '') continue;
    const start = index + quote.length;
    end = Math.max(end, start + plain.length);
    yield { name, quote, value: plain, start };
  }
}

function isSecretOf(name: string, value: string): boolean {
  return !isPlaceholder(value) && !isSameName(name, value) && !isShortToken(name, value);
}

function spanOf(match: RegExpExecArray, value: string): Span {
  return spanAt(match.index + match[0].lastIndexOf(value), value);
}

function spanAt(start: number, value: string): Span {
  return { kind: KIND, start, end: start + value.length };
}

/** Cuts a value at a comma that ends it or is followed by another name: `x,user=y`. */
function withoutNextPair(value: string): string {
  const end = value.search(/,(?:$|[\w.-]{1,60}[=:])/);
  return end < 0 ? value : value.slice(0, end);
}

/** Whether it has letters and digits, and is no name with numbers. */
function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !isNumberedName(value);
}

/** Whether quotes inside a quoted value are those of code: `password="' + x + '"`. */
function isQuotedCode(value: string): boolean {
  if (!/["'`]/.test(value)) return false;
  const inner = value.replaceAll(/^[\\"'`]+|[\\"'`]+$/g, '');
  return (
    /\s|^[+.,&)]|[+.,&(]$/.test(value) || /^[+.,&)]|[+.,&(]$/.test(inner) || isPlaceholder(inner)
  );
}

/** Whether the value of a variable is none of the expressions of shells and programs. */
function isEnvironmentValue(name: string, value: string): boolean {
  if (/^\$\w/.test(value)) return hasMixedCharacters(value);
  const inner = value.replace(/[,;]+$/, '');
  return isSecretOf(name, inner) && !isExpression(inner);
}

/**
 * Whether it is a name with numbers: words with at most two digits each, such as `delta_berth34` or
 * `config.v2`.
 */
function isNumberedName(value: string): boolean {
  return value.split(/[,_.:/-]/).every((part) => /^[A-Za-z]*\d{0,2}$/.test(part));
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
