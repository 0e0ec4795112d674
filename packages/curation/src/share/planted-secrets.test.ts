import { beforeAll, describe, expect, it } from 'bun:test';
import { PLANTED_KINDS, plantSecrets, seededRandom } from '@kp/testing/planted-secrets';
import { createSecretScanner, type SecretScanner } from './secret-scanner.ts';

// A different seed from the one used while the rules were written.
const SEED = 20_261_122;
const ROUNDS = 5;

let scanner: SecretScanner;
beforeAll(async () => {
  scanner = await createSecretScanner();
});

/** All texts and numbers of a value as one string, with encodings removed. */
function charactersOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).map(charactersOf).join('');
  }
  return Bun.stripANSI(String(value))
    .normalize('NFKC')
    .replaceAll(/[\u200b\s]/g, '');
}

describe('secrets of a generated corpus', () => {
  const random = seededRandom(SEED);
  const rounds = Array.from({ length: ROUNDS }, () => plantSecrets(random));

  it.each(PLANTED_KINDS.map((kind, index) => [kind, index] as const))(
    'masks every %s',
    async (_, index) => {
      for (const round of rounds) {
        const { secret, places } = round[index] ?? { secret: '', places: [] };
        const steps = places.map((place) =>
          typeof place === 'string' ? { content: place } : { input: place },
        );
        const scan = await scanner.scan({ steps });
        expect(scan.findings).not.toBeEmpty();
        expect(charactersOf(scan.mask({ steps }))).not.toContain(secret.replaceAll(/\s/g, ''));
        expect(scan.mask<unknown>({ steps })).not.toEqual({ steps });
      }
    },
  );
});
