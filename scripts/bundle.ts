import { rm } from 'node:fs/promises';
import { Glob } from 'bun';

/**
 * Bundles a package's entries into `dist`, next to the compiler's declarations. Run it in the package's
 * folder with the entries below `src` as arguments.
 *
 * One file replaces a hundred small ones: Node takes 0.3 ms to load each module, which was half of the
 * facade's import time. Other packages stay imports. The output is not minified and has no source map:
 * it is readable, and maps and sources would make the packages three times as large.
 */
const entrypoints = process.argv.slice(2);
if (entrypoints.length === 0) {
  throw new TypeError('entries: expected at least one source file, received none');
}

// Remove old chunks, whose names change with their content; the compiler maintains its own files.
for (const stale of new Glob('dist/**/*.{js,js.map,d.ts.map}').scanSync()) await rm(stale);

const { outputs } = await Bun.build({
  entrypoints,
  root: 'src',
  outdir: 'dist',
  naming: { entry: '[dir]/[name].[ext]', chunk: '[name]-[hash].[ext]' },
  target: 'node',
  format: 'esm',
  packages: 'external',
  jsx: { runtime: 'automatic', importSource: 'preact', development: false },
  // Keep our other packages as imports; the compiler's paths would resolve to their sources.
  external: ['@kp/*', '@knowledgepulse/*'],
  // Keep dynamic imports in separate files.
  splitting: true,
});
console.log(outputs.map(({ path }) => path.split('/dist/')[1]).join(' '));
