import { readFile } from 'node:fs/promises';
import type { PersonalDataKind, SecretPattern, SecretScanOptions } from '@kp/curation';
import { z } from 'zod';
import { refused, wrongUse } from '../output/errors.ts';

/** Kinds of personal data for `--personal` and rule files. */
export const PERSONAL_DATA_KINDS: readonly PersonalDataKind[] = [
  'phone',
  'iban',
  'payment-card',
  'national-number',
];

const ScanRulesSchema = z.strictObject({
  patterns: z
    .array(
      z.strictObject({
        kind: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, 'lower case letters, digits and hyphens'),
        pattern: z.string().min(1),
        flags: z
          .string()
          .regex(/^[imsu]*$/, 'flags among i, m, s and u')
          .default(''),
      }),
    )
    .default([]),
  /** Texts that are always masked. */
  deny: z.array(z.string().min(3)).default([]),
  allow: z.array(z.string().min(1)).default([]),
  names: z.array(z.string().min(2)).default([]),
  personal: z.array(z.enum(['phone', 'iban', 'payment-card', 'national-number'])).default([]),
});

/**
 * Reads a file of scan rules: `{ patterns: [{ kind, pattern, flags }], deny, allow, names, personal }`.
 *
 * @throws `UsageError` that names the file and the invalid field or pattern.
 */
export async function readScanRules(path: string): Promise<SecretScanOptions> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw refused(`--rules ${path}`, error);
  }
  const result = ScanRulesSchema.safeParse(parsed);
  if (!result.success) {
    const [issue] = result.error.issues;
    const field = issue?.path.join('.') || 'the file';
    throw wrongUse(
      `--rules ${path}`,
      'patterns, deny, allow, names and personal',
      `${field}: ${issue?.message}`,
    );
  }
  const { patterns, deny, allow, names, personal } = result.data;
  const own: SecretPattern[] = patterns.map(({ kind, pattern, flags }) => ({
    kind,
    pattern: compile(path, pattern, `g${flags}`),
  }));
  for (const text of deny) {
    const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
    own.push({ kind: 'denied-text', pattern: compile(path, escaped, 'g') });
  }
  return {
    patterns: own,
    allow: allow.map((pattern) => compile(path, pattern, 'u')),
    names,
    personalData: personal,
  };
}

/** @throws `UsageError` for an unknown kind. */
export function parsePersonalData(text: string): readonly PersonalDataKind[] {
  return text.split(',').map((word) => {
    const kind = PERSONAL_DATA_KINDS.find((known) => known === word.trim());
    if (kind === undefined) {
      throw wrongUse('--personal', PERSONAL_DATA_KINDS.join(', '), JSON.stringify(word));
    }
    return kind;
  });
}

function compile(path: string, pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    throw refused(`--rules ${path}`, error);
  }
}
