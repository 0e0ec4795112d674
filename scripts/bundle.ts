import { rm } from 'node:fs/promises';
import { Glob } from 'bun';

/**
 * Bundles a package's entries into `dist`, next to the compiler's declarations. Run it in the package's
 * folder with the entries below `src` as arguments.
 *
 * One file replaces a hundred small ones: Node takes 0.3 ms to load each module, which was half of the
 * facade's import time. Other packages stay imports. The output is not minified and has no source map:
 * it is readable, and maps and sources would make the packages three times as large.
 *
 * Entries after `--whole` contain what they use of our other packages: a worker thread starts several
 * times faster if it loads a single file without the rest of those packages.
 */
const words = process.argv.slice(2);
const whole = words.includes('--whole') ? words.slice(words.indexOf('--whole') + 1) : [];
const entrypoints = words
  .slice(0, words.length - whole.length)
  .filter((word) => word !== '--whole');
if (entrypoints.length === 0) {
  throw new TypeError('entries: expected at least one source file, received none');
}

// Remove old chunks, whose names change with their content; the compiler maintains its own files.
for (const stale of new Glob('dist/**/*.{js,js.map,d.ts.map}').scanSync()) await rm(stale);

const options = {
  root: 'src',
  outdir: 'dist',
  naming: { entry: '[dir]/[name].[ext]', chunk: '[name]-[hash].[ext]' },
  target: 'node',
  format: 'esm',
  jsx: { runtime: 'automatic', importSource: 'preact', development: false },
} as const;
const { outputs } = await Bun.build({
  ...options,
  entrypoints,
  packages: 'external',
  // Keep our other packages as imports; the compiler's paths would resolve to their sources.
  external: ['@kp/*', '@knowledgepulse/*'],
  // Keep dynamic imports in separate files.
  splitting: true,
});
if (whole.length > 0) {
  const bundled = await Bun.build({ ...options, entrypoints: whole });
  outputs.push(...bundled.outputs);
}
console.log(outputs.map(({ path }) => path.split('/dist/')[1]).join(' '));
