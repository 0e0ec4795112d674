import { beforeAll, describe, expect, it } from 'bun:test';
import { createSecretScanner, type SecretScanner } from './secret-scanner.ts';

let scanner: SecretScanner;
beforeAll(async () => {
  scanner = await createSecretScanner();
});

interface Trace {
  readonly id: string;
  readonly task: { readonly objective: string };
  readonly 'kp:score'?: object;
}

const traceWith = (id: string, objective: string): Trace => ({
  id: `kp:trace:${id}`,
  task: { objective },
});

async function maskedId(trace: Trace, toMask: Trace = trace): Promise<string> {
  return (await scanner.scan(trace)).mask(toMask).id;
}

describe('the id of a masked trace', () => {
  it('distinguishes traces whose ids get the same label', async () => {
    const one = await maskedId(traceWith('anna@firma.se', 'sum the list'));
    const other = await maskedId(traceWith('bert@annan.se', 'sort the list'));
    expect(one).toMatch(/^kp:trace:\[e-mail-address-1\]-[\da-f]{12}$/);
    expect(other).toMatch(/^kp:trace:\[e-mail-address-1\]-[\da-f]{12}$/);
    expect(one).not.toBe(other);
  });

  it('is stable, and depends neither on the masked value nor on the score', async () => {
    const trace = traceWith('anna@firma.se', 'sum the list of anna@firma.se');
    const id = await maskedId(trace);
    expect(await maskedId(trace)).toBe(id);
    expect(await maskedId(trace, { ...trace, 'kp:score': { profile: 'code' } })).toBe(id);
    expect(await maskedId({ ...trace, 'kp:score': { profile: 'code' } })).toBe(id);
    expect(await maskedId(traceWith('bert@annan.se', 'sum the list of bert@annan.se'))).toBe(id);
  });

  it('stays if nothing in it is masked', async () => {
    expect(await maskedId(traceWith('a', 'mail anna@firma.se'))).toBe('kp:trace:a');
    expect(await maskedId(traceWith('a', 'b'))).toBe('kp:trace:a');
  });
});
