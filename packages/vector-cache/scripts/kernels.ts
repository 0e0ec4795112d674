import type { KernelSource } from '@kp/testing/kernels';

const assembly = (entry: string): URL => new URL(`../assembly/${entry}`, import.meta.url);
const source = (file: string): URL => new URL(`../src/${file}`, import.meta.url);

/** The modules that `assembly/` is compiled to, each for one purpose. */
export const KERNELS: readonly KernelSource[] = [
  {
    entry: assembly('index.ts'),
    file: source('kernel-bytes.ts'),
    name: 'KERNEL',
    purpose: 'the cache',
  },
  {
    entry: assembly('graph.ts'),
    file: source('graph-kernel-bytes.ts'),
    name: 'GRAPH_KERNEL',
    purpose: 'the similarity graph',
  },
];

/** A kernel with exports for tests. */
export const TESTING_KERNEL: URL = assembly('testing.ts');
