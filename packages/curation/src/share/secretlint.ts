import { DependencyError, importOptional } from '@kp/foundation';

/** What secretlint found in a text; places in UTF-16 code units. */
interface LintFinding {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

export type Lint = (content: string) => Promise<readonly LintFinding[]>;

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

/** @throws `DependencyError` of `@kp/foundation` if the library is missing or broken. */
export async function loadSecretlint(): Promise<Lint> {
  const packages = '@secretlint/core @secretlint/secretlint-rule-preset-recommend';
  const [core, preset] = await importOptional<
    [Partial<Core>, { readonly rules?: readonly Rule[] }]
  >({
    packages,
    neededFor: 'the search for secrets',
    load: async () => [
      (await import('@secretlint/core')) as unknown as Core,
      await import('@secretlint/secretlint-rule-preset-recommend'),
    ],
  });
  const { lintSource } = core;
  const { rules = [] } = preset;
  if (typeof lintSource !== 'function' || rules.length === 0) {
    throw new DependencyError('DEPENDENCY_BROKEN', {
      subject: packages,
      expected: 'a version from 11 to 13',
      received: `lintSource of type ${typeof lintSource} and ${rules.length} rules`,
      remedy: `run npm install ${packages.replaceAll(' ', '@13 ')}@13`,
    });
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
