import { describe, expect, it } from 'bun:test';
import { compileKernel } from '../scripts/compile-kernel.ts';
import { KERNEL_BASE64 } from './kernel-bytes.ts';

describe('KERNEL_BASE64', () => {
  it('is what assembly/ compiles to', async () => {
    const compiled = await compileKernel();
    expect(Buffer.from(compiled).toString('base64')).toBe(KERNEL_BASE64);
  }, 60_000);

  it('is under 10 KB', () => {
    expect(Buffer.from(KERNEL_BASE64, 'base64').length).toBeLessThan(10_000);
  });
});
