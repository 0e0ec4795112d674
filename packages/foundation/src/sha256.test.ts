import { afterEach, describe, expect, it } from 'bun:test';
import { sha256 } from './sha256.ts';

const { getBuiltinModule } = process;

afterEach(() => {
  process.getBuiltinModule = getBuiltinModule;
});

// FIPS 180-4 example vectors, published by NIST.
const EXAMPLES = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
];

describe.each(['with node:crypto', 'without'])('sha256 %s', (engine) => {
  it.each(EXAMPLES)('of %p is %s', async (text = '', digest) => {
    if (engine === 'without') Object.assign(process, { getBuiltinModule: undefined });
    expect(await sha256(text)).toBe(digest);
    expect(await sha256(new TextEncoder().encode(text))).toBe(digest);
  });
});
