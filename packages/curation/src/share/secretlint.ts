/** What secretlint found in a text; places in UTF-16 code units. */
interface LintFinding {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

export type Lint = (content: string) => Promise<readonly LintFinding[]>;

/** The scanner for secrets cannot be made. */
export class SecretScannerError extends Error {
  /** The name of the class. */
  override readonly name = 'SecretScannerError';
  /** To match by. */
  readonly code: 'PEER_MISSING' | 'PEER_UNUSABLE';
  /** What is needed. */
  readonly expected: string;
  /** What is there instead. */
  readonly received: string;

  constructor(code: SecretScannerError['code'], expected: string, cause: unknown) {
    const received = cause instanceof Error ? cause.message : String(cause);
    super(
      `secretlint: expected ${expected}, received ${received}. Install it: npm install @secretlint/core @secretlint/secretlint-rule-preset-recommend`,
      { cause },
    );
    this.code = code;
    this.expected = expected;
    this.received = received;
  }
}

// What is used of the library, so that our declarations need not mention it.
interface Rule {
  readonly meta: { readonly id: string };
}
interface Message {
  readonly messageId?: string;
  readonly ruleId: string;
  readonly range: readonly [number, number];
  readonly data?: Readonly<Record<string, unknown>>;
}
interface Core {
  lintSource(call: unknown): Promise<{ readonly messages: readonly Message[] }>;
}

/** @throws {@link SecretScannerError} */
export async function loadSecretlint(): Promise<Lint> {
  let core: Partial<Core>;
  let preset: { readonly rules?: readonly Rule[] };
  try {
    core = (await import('@secretlint/core')) as unknown as Core;
    preset = await import('@secretlint/secretlint-rule-preset-recommend');
  } catch (cause) {
    throw new SecretScannerError('PEER_MISSING', 'the optional peers to be installed', cause);
  }
  const { lintSource } = core;
  const { rules = [] } = preset;
  if (typeof lintSource !== 'function' || rules.length === 0) {
    const received = `lintSource of type ${typeof lintSource} and ${rules.length} rules`;
    throw new SecretScannerError('PEER_UNUSABLE', 'a version from 11 to 13', received);
  }
  const config = {
    rules: rules
      // With it a comment in a recording would switch the others off.
      .filter(({ meta }) => !meta.id.endsWith('filter-comments'))
      .map((rule) => ({ id: rule.meta.id, rule, options: {} })),
  };
  return async (content) => {
    const source = { filePath: 'trace.txt', content, contentType: 'text' };
    const options = { config, noPhysicFilePath: true };
    const { messages } = await lintSource({ source, options });
    return messages.map((message) => findingOf(message, content));
  };
}

/** Some rules report a place that begins before the secret; their data have the secret itself. */
function findingOf(message: Message, content: string): LintFinding {
  const [start, end] = message.range;
  const kind = kindOf(message);
  for (const value of Object.values(message.data ?? {})) {
    if (typeof value !== 'string' || value.length < 8) continue;
    const at = content.indexOf(value, start);
    if (at >= start && at <= end) return { kind, start: at, end: at + value.length };
  }
  return { kind, start, end };
}

function kindOf({ messageId, ruleId }: Message): string {
  const name = messageId ?? ruleId.replace(/^.*secretlint-rule-/, '');
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}
