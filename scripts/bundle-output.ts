import { rm } from 'node:fs/promises';
import { type BuildArtifact, Glob } from 'bun';

/**
 * How all bundles are written: readable and without source maps, because maps and sources would make the
 * packages three times as large. Dynamic imports stay separate files.
 */
export const OUTPUT = {
  root: 'src',
  outdir: 'dist',
  naming: { entry: '[dir]/[name].[ext]', chunk: '[name]-[hash].[ext]' },
  target: 'node',
  format: 'esm',
  splitting: true,
  jsx: { runtime: 'automatic', importSource: 'preact', development: false },
} as const;

/** Removes old chunks, whose names change with their content; the compiler maintains its own files. */
export async function cleanOutput(): Promise<void> {
  for (const stale of new Glob('dist/**/*.{js,js.map,d.ts.map}').scanSync()) await rm(stale);
}

export function printFiles(outputs: readonly BuildArtifact[]): void {
  console.log(outputs.map(({ path }) => path.split('/dist/')[1]).join(' '));
}
