/** A form of secret or personal datum that a trace may hold. */
export interface SecretPattern {
  /** In lower case with hyphens: it names the kind in reports and in the mask. */
  readonly kind: string;
  /** Global. The group `value` is what is masked; without one, the whole match. */
  readonly pattern: RegExp;
  /** Whether a value that fits the pattern is none of its kind. */
  readonly isHarmless?: (value: string) => boolean;
}

/**
 * What secretlint's rules do not look for: keys whose issuers it has no rule for, values that are
 * called a secret where they stand, and personal data. Each repetition is bounded, so that no text
 * makes them slow.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,20000}?(?:-----END [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { kind: 'aws-access-key-id', pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  { kind: 'google-api-key', pattern: /\bAIza[\w-]{35}(?![\w-])/g },
  { kind: 'google-oauth-token', pattern: /\bya29\.[\w-]{20,400}/g },
  { kind: 'stripe-key', pattern: /\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,120}\b/g },
  { kind: 'openai-key', pattern: /\bsk-(?:proj-|svcacct-|admin-)?[\w-]{32,200}(?![\w-])/g },
  { kind: 'slack-webhook', pattern: /https:\/\/hooks\.slack\.com\/services\/[\w/]{20,80}/g },
  { kind: 'telegram-bot-token', pattern: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  {
    kind: 'json-web-token',
    pattern: /\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{10,1000}/g,
  },
  {
    kind: 'bearer-token',
    pattern: /\b(?:bearer|basic)\s{1,4}(?<value>[\w.~+/-]{20,2000}={0,2})/gi,
    isHarmless: isPlaceholder,
  },
  {
    kind: 'secret-in-url',
    pattern:
      /[?&](?:access_token|api_?key|token|key|sig|signature|secret|password)=(?<value>[^&\s"'<>]{12,500})/gi,
    isHarmless: isPlaceholder,
  },
  {
    kind: 'assigned-secret',
    pattern:
      /(?:api[_-]?key|apikey|secret[_-]?access[_-]?key|secret[_-]?key|secret|access[_-]?token|auth[_-]?token|refresh[_-]?token|private[_-]?key|client[_-]?secret|passw(?:or)?d|passphrase|pwd)(?:\\?["'])?\s{0,3}[:=]{1,2}\s{0,3}(?:\\?["'])?(?<value>[^\s"',;\\(){}[\]<>]{8,300})/gi,
    isHarmless: isPlaceholder,
  },
  {
    kind: 'e-mail-address',
    pattern: /(?<![\w.%+-])[\w%+-][\w.%+-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,24}(?![\w-])/gi,
    isHarmless: isRoleAddress,
  },
  {
    kind: 'user-name-in-path',
    pattern:
      /(?:\/home\/|\/Users\/|\b[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/))(?<value>[\p{L}\p{N}][\p{L}\p{N}._-]{0,62})/gu,
    isHarmless: (name) => SHARED_USERS.has(name.toLowerCase()),
  },
];

/** Users that machines, containers and pages of documentation have; they name nobody. */
const SHARED_USERS: ReadonlySet<string> = new Set(
  `admin agent alpine app appuser azureuser bun circleci codespace coder container daytona debian
default docker ec2-user gitpod guest jenkins jovyan me model name node nobody nonroot oai openhands
pi postgres public root runner sandbox shared someone swe swe-agent test travis ubuntu user
user1 user2 username vagrant vscode work workspace you your-name your-user yourname youruser
yourusername`.split(/\s+/),
);

/** RFC 2606 and RFC 6761: names that belong to nobody. */
const RESERVED_DOMAIN =
  /@(?:.*\.)?(?:example(?:\.(?:com|org|net))?|test|invalid|localhost|local|internal)$/i;
const ROLE = /^(?:git|noreply|no-reply|donotreply|root|user|username|you|name|email|test)@/i;

// grep writes a file or a number of a line before what it found, such as a decorator:
// 274-@pytest.mark.skip, linter_test.py-@pytest.mark.skip.
const FOUND_BY_GREP = /^(?:\d+|.*\.[a-z]{1,4})[-:]@/i;

function isRoleAddress(address: string): boolean {
  return RESERVED_DOMAIN.test(address) || ROLE.test(address) || FOUND_BY_GREP.test(address);
}

const STAND_IN =
  /^(?:\W|_)*(?:your|my|the|some|test|dummy|fake|sample|example|placeholder|change|insert|todo|none|null|true|false|undefined|string|required|optional|process\.env|os\.environ|getenv|config|settings|self|args|env|str\b|redacted|masked|hidden|password|passwd|secret|token)/i;
// Bits a character; words and identifiers lie below it, random characters above.
const LEAST_ENTROPY = 3;

/** Whether a value that stands where a secret would is a name, a word or a stand-in. */
function isPlaceholder(value: string): boolean {
  if (STAND_IN.test(value) || /^\$|\*{3}|x{4}|\.{3}|…|%s|^\[|@@/i.test(value)) return true;
  if (!(/\d/.test(value) && /[a-z]/i.test(value))) return true;
  const parts = value.split(/[_.:/-]/);
  if (parts.length > 1 && parts.every((part) => /^[a-z]*\d{0,2}$/i.test(part))) return true;
  return entropyOf(value) < LEAST_ENTROPY;
}

/** Bits a character, by the frequencies within the text itself: Shannon 1948, section 6. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return bits / text.length;
}
