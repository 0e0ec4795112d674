/**
 * Secrets that only their name reveals: `"password": "correct-horse"`. The value may be any word,
 * so the name decides, and whether the value is a placeholder or code.
 */

const SECRET_WORDS: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
  'secret',
  'secrets',
  'token',
  'credential',
  'credentials',
  'apikey',
  'authkey',
  'accesskey',
  'secretkey',
  'privatekey',
  'jwt',
  'mnemonic',
  'pat',
  'passwords',
  'passphrases',
  'storepass',
  'keypass',
  'psk',
]);

/** Words that indicate a secret only after another word: `DB_PASS`, `api_key`. */
const SECRET_PAIRS: ReadonlySet<string> = new Set(
  `api key,access key,private key,secret key,encryption key,signing key,master key,auth key,
account key,shared key,storage key,session key,service key,deploy key,admin key,root key,
access token,db pass,database pass,user pass,smtp pass,mail pass,email pass,admin pass,root pass,
become pass,ansible pass,vault pass,ldap pass,bind pass,imap pass,mongo pass,mqtt pass,rabbitmq pass,keystore pass,
redis pass,mysql pass,postgres pass,pg pass,ftp pass,ssh pass,sudo pass,login pass,master pass,
seed phrase,recovery phrase,recovery code,backup code,security code,pin code,session cookie,connection string,key data,auth header,key base,auth cookie,app key,auth salt,nonce salt,nonce key`
    .split(',')
    .map((pair) => pair.trim()),
);

/** Last words of names that describe a secret but do not contain one. */
const TOKENS_THAT_ARE_NO_SECRET: ReadonlySet<string> = new Set(
  `page continuation sync cursor pad eos bos unk mask sep cls special stop start end next prev
previous first last image think input output prompt completion max min num total context reserved
budget lookahead current peek expected unexpected begin vocab sub word separator this each single
per cancellation cancel abort design style syntax lexer parser eol eof class keyword reset_page
csrf_field invalid missing wrong bad no is has show hide forgot forgotten confirm_label use with
without require requires needs expired refresh_page trailing closing opening leading unknown
matching ignore delimiter raw_cancel trial`.split(/\s+/),
);

const SUFFIXES: ReadonlySet<string> = new Set([
  'value',
  'plaintext',
  'plain',
  'raw',
  'text',
  'b64',
]);

/** Every name of a secret contains one of these parts. */
export const PART_OF_A_NAME: RegExp =
  /pass|pwd|secret|token|credential|key|jwt|mnemonic|pat|psk|phrase|code|cookie|string|auth|salt|pin/i;

/**
 * Whether a field, variable or option name indicates a secret: `DB_PASSWORD`, `clientSecret`,
 * `api-key`, but not counters (`max_tokens`) or descriptions (`password_hint`).
 */
export function isSecretName(name: string): boolean {
  if (!PART_OF_A_NAME.test(name)) return false;
  const words = wordsOf(name);
  while (words.length > 1 && SUFFIXES.has(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (last === 'pin') return words.length === 1;
  if (SECRET_PAIRS.has(`${before} ${last}`)) return true;
  if (/^(?!forgot|reset|no|change|show|confirm)[a-z]{1,12}(?:password|passwd)$/.test(last))
    return true;
  if (!SECRET_WORDS.has(last)) return false;
  if (last === 'pat') return before === 'github' || before === 'gitlab' || before === 'azure';
  return last !== 'token' || !TOKENS_THAT_ARE_NO_SECRET.has(before);
}

function wordsOf(name: string): string[] {
  return name
    .slice(0, 80)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

const PLACEHOLDER_WORD =
  /^(?:none|null|nil|true|false|undefined|string|str|text|varchar|number|int|integer|bool|boolean|bytes|object|any|optional|required|hidden|redacted|masked|removed|omitted|empty|unset|default|unknown|n\/a|password|passwd|secret|token|credentials?|api[_ -]?key|key|value|todo|tbd|change[_ -]?me|placeholder|example|sample|dummy|fake|test|foo|bar|baz|secretstr|textfield|charfield|stringfield|passwordinput|basic|bearer|digest|header|cookie|query|disabled|enabled|auto|yes|no|on|off|optional\[str\])$/i;
const PLACEHOLDER_START =
  /^(?:your|my|the|some|any|an?|insert|enter|replace|put|add|use|set|get|dummy|fake|sample|example|placeholder|change)[-_ ]/i;
const PLACEHOLDER_FORM =
  /^[$%]\{?\w|^<.*>$|^\{.*\}$|^\[.*\]$|^%\(|^\.{1,2}\/|\*{3}|x{4}|\.{3}|…|^@|\$\{|\{\{|%s\b|process\.env|os\.environ|getenv|^!?(?:var|local|data|env|secrets|vault)\.|^arn:|^op:\/\/|^vault:|^file:/i;

// A version number, for example of a package named `jwt`.
const VERSION = /^[\^~<>=v]{0,3}\d{1,5}(?:\.[\dx*]{1,5}){1,3}(?:-[\w.]{1,20})?$/;

/** Whether the value of a secret's name is a placeholder, a reference or prose. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  if (text.length < 4) return true;
  return (
    PLACEHOLDER_WORD.test(text) ||
    (PLACEHOLDER_START.test(text) && !isMixed(text)) ||
    PLACEHOLDER_FORM.test(text) ||
    VERSION.test(text) ||
    isProse(text) ||
    isReference(text)
  );
}

/**
 * Whether a text has mixed characters like a random key: `A-RDp2BXvkP2CtKeo3af` does not start with
 * the word `a`.
 */
function isMixed(text: string): boolean {
  return text.length >= 16 && /\d/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
}

/** Words that are common in messages and labels but rare in passphrases. */
const PROSE =
  /\b(?:is|are|was|must|should|can|cannot|required|invalid|enter|your|the|forgot|wrong|incorrect|not|for|and|or|to|of|with|in|at|least|characters|field|expired|missing|please|used|new|old|reset|confirm)\b/i;

function isProse(text: string): boolean {
  return /\s/.test(text) && (PROSE.test(text) || /[.!?:]$|[(){}=;]/.test(text));
}

/** Whether it is the name of another secret, as in `secret_name: "db-password"`. */
function isReference(text: string): boolean {
  return /^[A-Za-z][A-Za-z_.-]*$/.test(text) && isSecretName(text) && wordsOf(text).length < 6;
}

/** Whether an unquoted value is code rather than a value: a call, an attribute, a type. */
export function isCode(value: string): boolean {
  const withoutPadding = value.replace(/(?<=[A-Za-z0-9+/]{8})={1,2}$/, '');
  return /[()[\]{}<>|=]|=>|::|->/.test(withoutPadding) || isExpression(value);
}

/** Whether it is an expression of a program or shell, whatever characters a value may have. */
export function isExpression(value: string): boolean {
  return (
    /^\$\(|^[A-Za-z_$][\w$.]*[([].*[)\]]$/.test(value) ||
    (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) && !isKeyWithDots(value)) ||
    /^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/.test(value) ||
    /^(?:self|this|args|kwargs|config|settings|options|opts|props|params|req|request|env|ctx)\b/.test(
      value,
    )
  );
}

/** Whether it is a random key with dots; attribute chains rarely contain four digits. */
function isKeyWithDots(value: string): boolean {
  return value.length >= 32 && isMixed(value) && value.replaceAll(/\D/g, '').length >= 4;
}

/** Whether a token is a short parser token such as `token: "def"` rather than a credential. */
export function isShortToken(name: string, value: string): boolean {
  return /^tokens?$/i.test(name) && (value.length < 8 || /^[A-Za-z]{1,12}$/.test(value));
}

/** A password of signs alone; fewer are an operator or a separator. */
const ONLY_SIGNS = /^[!-/:-@[-`{-~]{6,}$/;

/** Whether a value repeats its name, as in `password = password`, or says nothing in Latin letters, digits or signs. */
export function isSameName(name: string, value: string): boolean {
  const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
  const [a, b] = [plain(name), plain(value)];
  if (b === '') return !ONLY_SIGNS.test(value);
  return a === b || a.endsWith(b) || b.endsWith(a);
}

/** Whether it has both cases and several digits, as random characters do and names do not. */
export function hasMixedCharacters(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && (value.match(/\d/g)?.length ?? 0) >= 3;
}
