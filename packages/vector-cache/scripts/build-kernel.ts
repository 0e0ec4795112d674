// Writes the bytes of the kernels from assembly/. Run it after any change there: a test compares.
import { writeFile } from 'node:fs/promises';
import { compileKernel, encodeKernel, KERNELS } from './compile-kernel.ts';

for (const { entry, file, name, purpose } of KERNELS) {
  const bytes = await compileKernel(entry);
  const text = `// Compiled from assembly/ by scripts/build-kernel.ts; a test holds the two together.

/** The WebAssembly kernel of ${purpose}, ${bytes.length} bytes, for \`decodeKernel\`. */
export const ${name}: string =
  '${encodeKernel(bytes)}';
`;
  await writeFile(new URL(`../src/${file}`, import.meta.url), text);
  console.log(`${file}: ${bytes.length} bytes`);
}
