// Writes src/kernel-bytes.ts from assembly/. Run it after any change there: a test compares the two.
import { writeFile } from 'node:fs/promises';
import { compileKernel } from './compile-kernel.ts';

const bytes = await compileKernel();
const text = `// Compiled from assembly/ by scripts/build-kernel.ts; a test holds the two together.

/** The WebAssembly kernel, ${bytes.length} bytes in base64. */
export const KERNEL_BASE64: string =
  '${Buffer.from(bytes).toString('base64')}';
`;
await writeFile(new URL('../src/kernel-bytes.ts', import.meta.url), text);
console.log(`${bytes.length} bytes`);
