import { expect, it } from 'bun:test';
import { sha256 } from './sha256.ts';

// FIPS 180-4 example vectors, published by NIST.
it.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
])('sha256(%p) is %s', async (text, digest) => {
  expect(await sha256(text)).toBe(digest);
  expect(await sha256(new TextEncoder().encode(text))).toBe(digest);
});
