import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Glob } from 'bun';

const app = join(import.meta.dir, '..');
const root = join(app, '../..');
const SOURCES = ['bun.lock', 'packages/*/package.json', 'packages/*/src/**', 'apps/cli/src/**'];

/**
 * `kp` of the sources as they are now, as a program for Bun that starts in half the time. It is made
 * once for all test files, and kept by the contents of the sources.
 */
export async function bundledKp(): Promise<string> {
  const folder = join(app, 'node_modules/.cache/kp', await digestOfSources());
  const program = join(folder, 'main.js');
  if (existsSync(program)) return program;
  const making = `${folder}.${process.pid}`;
  await mkdir(making, { recursive: true });
  await Bun.build({
    entrypoints: [join(app, 'src/main.ts')],
    outdir: making,
    target: 'bun',
    splitting: true,
    external: ['@huggingface/transformers'],
  });
  // Whoever else made it meanwhile made the same.
  await rename(making, folder).catch(() => rm(making, { recursive: true, force: true }));
  return program;
}

async function digestOfSources(): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha1');
  for (const pattern of SOURCES) {
    const paths = (await Array.fromAsync(new Glob(pattern).scan(root))).sort();
    if (paths.length === 0) throw new Error(`${pattern}: expected files, received none`);
    for (const path of paths) {
      if (path.endsWith('.test.ts')) continue;
      hasher.update(`${path}\0`).update(await Bun.file(join(root, path)).bytes());
    }
  }
  return hasher.digest('hex');
}
