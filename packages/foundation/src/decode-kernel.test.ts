import { describe, expect, it } from 'bun:test';
import { encodeKernel } from '@kp/testing/kernels';
import { decodeKernel } from './decode-kernel.ts';

describe('decodeKernel', () => {
  it('restores every byte from a text without quotes and backslashes', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(decodeKernel(encodeKernel(bytes))).toEqual(bytes);
    expect(encodeKernel(bytes)).toMatch(/^[ !#-&(-[\]-~]+$/);
  });
});
