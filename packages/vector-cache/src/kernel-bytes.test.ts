import { describe, expect, it } from 'bun:test';
import { compileKernel } from '../scripts/compile-kernel.ts';
import { GRAPH_KERNEL_BASE64 } from './graph-kernel-bytes.ts';
import { KERNEL_BASE64 } from './kernel-bytes.ts';

describe.each([
  ['index.ts', KERNEL_BASE64, 10_000],
  ['graph.ts', GRAPH_KERNEL_BASE64, 4000],
])('the bytes of the kernel assembly/%s', (entry, base64, bytes) => {
  it('are what it compiles to', async () => {
    const compiled = await compileKernel(entry);
    expect(Buffer.from(compiled).toString('base64')).toBe(base64);
  }, 60_000);

  it(`are under ${bytes}`, () => {
    expect(Buffer.from(base64, 'base64').length).toBeLessThan(bytes);
  });
});
