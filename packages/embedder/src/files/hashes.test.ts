import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { portableSha256, sha256, verifyFile } from './hashes.ts';

describe('portableSha256', () => {
  it('gives the values of the standard', () => {
    // FIPS 180-2, appendix B.1 and B.2, and the empty message.
    const bytesOf = (text: string) => new TextEncoder().encode(text);
    expect(portableSha256(bytesOf('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(
      portableSha256(bytesOf('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')),
    ).toBe('248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1');
    expect(portableSha256(bytesOf(''))).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  it('is what the runtime gives where the padding goes from one block to two', () => {
    for (const length of [1, 54, 55, 56, 63, 64, 65, 119, 120, 128]) {
      const bytes = new Uint8Array(length).fill(length);
      expect(portableSha256(bytes)).toBe(sha256(bytes));
    }
  });

  it('is what the runtime gives, at any length and place', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(9), (bytes, skipped) => {
        const part = bytes.subarray(skipped);
        expect(portableSha256(part)).toBe(sha256(part));
      }),
    );
  });
});

describe('verifyFile', () => {
  it('refuses another hash with or without subtle cryptography', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const { crypto } = globalThis;
    try {
      for (const value of [crypto, undefined]) {
        Object.defineProperty(globalThis, 'crypto', { value, configurable: true });
        await verifyFile('x', bytes, sha256(bytes).toUpperCase());
        await expect(verifyFile('x', bytes, 'ab')).rejects.toMatchObject({
          code: 'FILE_HASH_MISMATCH',
          subject: 'x',
          expected: 'sha256 ab',
        });
      }
    } finally {
      Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true });
    }
  });
});
