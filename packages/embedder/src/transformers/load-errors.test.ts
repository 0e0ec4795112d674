import { describe, expect, it } from 'bun:test';
import { EmbedderLoadError } from '../errors.ts';
import { checkDimensions, orDamaged } from './load-errors.ts';

const failureOf = (thrown: unknown): Promise<unknown> =>
  orDamaged('m/config.json', 'JSON', () => Promise.reject(thrown)).catch((error: unknown) => error);

describe('orDamaged', () => {
  it('gives what the action gives', async () => {
    expect(await orDamaged('a', 'b', async () => 7)).toBe(7);
  });

  it('names the file, what was expected of it, and what to do', async () => {
    const cause = new SyntaxError('Unexpected token');
    expect(await failureOf(cause)).toMatchObject({
      name: 'EmbedderLoadError',
      code: 'FILE_DAMAGED',
      cause,
      message:
        'm/config.json: expected JSON, received Unexpected token. ' +
        'Replace the file, or delete it so that it is downloaded again.',
    });
  });

  it('leaves an error alone that says itself what is wrong', async () => {
    const [code, subject, expected, received] = ['FILE_MISSING', 'a', 'b', 'c'] as const;
    const error = new EmbedderLoadError({ code, subject, expected, received });
    expect(await failureOf(error)).toBe(error);
  });

  it('lays a device that the library has not to the option', async () => {
    expect(await failureOf(new Error('Unsupported device: "abacus"'))).toMatchObject({
      code: 'DEVICE_UNSUPPORTED',
      message:
        'device: expected a device that the library has here, received Unsupported device: "abacus". ' +
        'Name one of those, or leave device out.',
    });
  });
});

describe('checkDimensions', () => {
  it('takes the expected number, and one that is not known', () => {
    checkDimensions('m', 384, 384);
    checkDimensions('m', 384, undefined);
  });

  it('names both numbers, and the way out', () => {
    expect(() => checkDimensions('m', 384, 128)).toThrow(
      'm: expected 384 dimensions, received 128. ' +
        'Set dimensions: 128, or use a model of 384 dimensions.',
    );
  });
});
