import { describe, expect, it } from 'bun:test';
import { createSecretScanner } from './secret-scanner.ts';

const kindsIn = async (
  text: string,
  options: Parameters<typeof createSecretScanner>[0],
): Promise<string[]> => {
  const { findings } = await (await createSecretScanner(options)).scan({ a: text });
  return findings.map(({ kind }) => kind);
};

describe('personal data on request', () => {
  // Test numbers: Visa's, the IBAN registry's examples, 555 numbers, an SSN of an advertisement.
  it.each([
    ['payment-card', '4111 1111 1111 1111'],
    ['payment-card', '5555-5555-5555-4444'],
    ['iban', 'DE89 3704 0044 0532 0130 00'],
    ['iban', 'GB82WEST12345698765432'],
    ['phone', '+46 70 123 45 67'],
    ['phone', '(212) 555-0142'],
    ['national-number', '078-05-1120'],
  ] as const)('finds a %s in %p, and only if requested', async (kind, text) => {
    expect(await kindsIn(text, { personalData: [kind] })).toEqual([kind]);
    expect(await kindsIn(text, {})).toEqual([]);
  });

  it.each([
    ['payment-card', '4111 1111 1111 1112'],
    ['payment-card', '1234567890123'],
    ['iban', 'DE89 3704 0044 0532 0130 01'],
    ['phone', 'version 1.2.3-4 of 2026-11-22'],
    ['national-number', '000-12-3456'],
  ] as const)('reports no %s in %p', async (kind, text) => {
    expect(await kindsIn(text, { personalData: [kind] })).toEqual([]);
  });

  it('masks names from a list as whole words in any case', async () => {
    const scanner = await createSecretScanner({ names: ['Mara Lindqvist', 'Mara'] });
    const trace = { a: 'mara  lindqvist met MARA, not Maras' };
    expect((await scanner.scan(trace)).mask(trace)).toEqual({
      a: '[person-name-1] met [person-name-2], not Maras',
    });
  });

  it.each(['Anne-Marie Dupont', "J. O'Hara (ops)", 'Søren/QA'])(
    'masks the name %p',
    async (name) => {
      const scanner = await createSecretScanner({ names: [name] });
      const trace = { a: `signed: ${name}, lead` };
      expect((await scanner.scan(trace)).mask(trace)).toEqual({
        a: 'signed: [person-name-1], lead',
      });
    },
  );
});
