import { describe, expect, it } from 'bun:test';
import { decodeKernel } from '@kp/foundation';
import { compileKernel, encodeKernel } from '@kp/testing/kernels';
import { KERNELS } from '../scripts/kernels.ts';
import { GRAPH_KERNEL } from './graph-kernel-bytes.ts';
import { KERNEL } from './kernel-bytes.ts';

describe.each([
  ['KERNEL', KERNEL, 10_000],
  ['GRAPH_KERNEL', GRAPH_KERNEL, 4000],
])('the bytes of %s', (wanted, text, bytes) => {
  it('match the compiled source', async () => {
    const { entry } = KERNELS.find(({ name }) => name === wanted) ?? {};
    const compiled = await compileKernel(entry as URL);
    expect(encodeKernel(compiled)).toBe(text);
    expect(decodeKernel(text)).toEqual(compiled);
  }, 60_000);

  it(`are under ${bytes}`, () => {
    expect(decodeKernel(text).length).toBeLessThan(bytes);
  });
});
