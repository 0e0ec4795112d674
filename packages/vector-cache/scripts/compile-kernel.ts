import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

/** The modules that `assembly/` is compiled to, each for one purpose. */
export const KERNELS = [
  { entry: 'index.ts', file: 'kernel-bytes.ts', name: 'KERNEL', purpose: 'the cache' },
  {
    entry: 'graph.ts',
    file: 'graph-kernel-bytes.ts',
    name: 'GRAPH_KERNEL',
    purpose: 'the similarity graph',
  },
] as const;

/**
 * Compiles a module of `assembly/` to WebAssembly.
 *
 * @throws when the compiler reports an error, with what it printed.
 */
export async function compileKernel(entry: string): Promise<Uint8Array<ArrayBuffer>> {
  const source = fileURLToPath(new URL(`../assembly/${entry}`, import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'vector-cache-kernel-'));
  try {
    const file = join(folder, 'kernel.wasm');
    const { error, stderr } = await main([
      source,
      ...['--outFile', file],
      // Optimising for size would save 2 KB but leave calls in the innermost loops. V8 in Node 22
      // does not inline WebAssembly functions, so a search took 4.6 times as long.
      ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--converge', '--noAssert'],
      ...['--runPasses', 'coalesce-locals-learning,reorder-locals'],
      ...['--runtime', 'stub', '--use', 'abort=', '--enable', 'simd'],
      ...['--importMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
      // Values of type v128 are passed only between functions of the module, never to JavaScript.
      ...['--disableWarning', '112'],
    ]);
    if (error !== null) throw new Error(`asc: ${stderr.toString()}`, { cause: error });
    return new Uint8Array(await readFile(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Encodes the bytes as a text that `decodeKernel` decodes. */
export function encodeKernel(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    const value = (byte + 3) % 256;
    const rest = value % 90;
    // Characters from # on, except the apostrophe and the backslash.
    const code = 35 + rest + (rest > 3 ? 1 : 0) + (rest > 55 ? 1 : 0);
    text += ['', ' ', '!'][(value - rest) / 90] + String.fromCharCode(code);
  }
  return text;
}
