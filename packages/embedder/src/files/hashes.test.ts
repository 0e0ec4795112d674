import { expect, it } from 'bun:test';
import { verifyFile } from './hashes.ts';

it('verifyFile rejects a file whose hash differs from its pin', async () => {
  const bytes = Uint8Array.of(1, 2, 3);
  // Computed with sha256sum.
  const pin = '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81';
  await verifyFile('x', bytes, pin);
  await verifyFile('x', bytes, pin.toUpperCase());
  await verifyFile('x', bytes, undefined);
  await expect(verifyFile('x', bytes, 'ab')).rejects.toMatchObject({
    code: 'FILE_HASH_MISMATCH',
    message:
      `x: expected sha256 ab, received sha256 ${pin}; ` +
      'delete the file and load again, or correct the pin if the file is the wanted one',
  });
});
