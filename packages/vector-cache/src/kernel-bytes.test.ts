import { describe, expect, it } from 'bun:test';
import { compileKernel, encodeKernel } from '../scripts/compile-kernel.ts';
import { GRAPH_KERNEL } from './graph-kernel-bytes.ts';
import { decodeKernel } from './kernel.ts';
import { KERNEL } from './kernel-bytes.ts';

describe.each([
  ['index.ts', KERNEL, 10_000],
  ['graph.ts', GRAPH_KERNEL, 4000],
])('the bytes of the kernel assembly/%s', (entry, text, bytes) => {
  it('match the compiled source', async () => {
    const compiled = await compileKernel(entry);
    expect(encodeKernel(compiled)).toBe(text);
    expect(decodeKernel(text)).toEqual(compiled);
  }, 60_000);

  it(`are under ${bytes}`, () => {
    expect(decodeKernel(text).length).toBeLessThan(bytes);
  });
});

describe('decodeKernel', () => {
  it('restores every byte from a text without quotes and backslashes', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(decodeKernel(encodeKernel(bytes))).toEqual(bytes);
    expect(encodeKernel(bytes)).toMatch(/^[ !#-&(-[\]-~]+$/);
  });
});
