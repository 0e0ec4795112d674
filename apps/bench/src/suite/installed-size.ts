import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Figure } from '../results/results-file.ts';

const run = promisify(execFile);
const packages = fileURLToPath(new URL('../../../../packages/', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Bytes on disk of each package as it is packed, with all it depends on. */
export async function measureInstalledSizes(): Promise<Figure[]> {
  const folders = (await readdir(packages)).sort().map((name) => join(packages, name));
  const ours = new Map<string, string>();
  for (const folder of folders) ours.set((await readManifest(folder)).name, folder);
  const sizes = new Map<string, number>();
  const figures: Figure[] = [];
  for (const [name, folder] of ours) {
    const closure = new Map<string, string>();
    await collect(folder, closure);
    let value = 0;
    for (const [dependency, place] of closure) {
      const size = sizes.get(dependency) ?? (await sizeOf(place, ours.has(dependency)));
      sizes.set(dependency, size);
      value += size;
    }
    const others = closure.size - 1;
    const what = `installed size of ${name}, with ${others} dependencies`;
    figures.push({ name: what, unit: 'bytes', value });
  }
  return figures;
}

/** The folders of a package and of all it depends on, by name; optional peers are not among them. */
async function collect(folder: string, found: Map<string, string>): Promise<void> {
  const { name, dependencies = {} } = await readManifest(folder);
  if (found.has(name)) return;
  found.set(name, folder);
  const require = createRequire(join(folder, 'package.json'));
  for (const dependency of Object.keys(dependencies)) {
    await collect(await realpath(dirname(require.resolve(`${dependency}/package.json`))), found);
  }
}

async function sizeOf(folder: string, isOurs: boolean): Promise<number> {
  return isOurs ? packedSize(folder) : folderSize(folder);
}

async function packedSize(folder: string): Promise<number> {
  const target = await mkdtemp(join(tmpdir(), 'kp-packed-'));
  try {
    const options = { cwd: folder };
    const command = ['pm', 'pack', '--destination', target, '--quiet'];
    const tarball = (await run('bun', command, options)).stdout.trim();
    await run('tar', ['-xzf', tarball, '-C', target]);
    return await folderSize(join(target, 'package'));
  } finally {
    await rm(target, { recursive: true });
  }
}

async function folderSize(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !path.includes('/node_modules/', folder.length)) {
      bytes += (await stat(path)).size;
    }
  }
  return bytes;
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}
