import type { KernelSource } from '@kp/testing/kernels';

/** The module that `assembly/` is compiled to. */
export const KERNELS: readonly KernelSource[] = [
  {
    entry: new URL('../assembly/index.ts', import.meta.url),
    file: new URL('../src/lexical/kernel-bytes.ts', import.meta.url),
    name: 'LEXICAL_KERNEL',
    purpose: 'the lexical embedder',
  },
];
