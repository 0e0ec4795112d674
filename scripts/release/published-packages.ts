import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { outputOf } from '@kp/testing/run-command';
import { Glob } from 'bun';

export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  /** Path relative to the repository root. */
  readonly folder: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export interface PackedPackage extends PublishedPackage {
  readonly tarball: string;
  /** The registry's digest of the tarball: `sha512-` and the digest in base64. */
  readonly integrity: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dir, '../..');

/** The published packages, each after our packages that it depends on. */
export async function findPublishedPackages(): Promise<readonly PublishedPackage[]> {
  const found: PublishedPackage[] = [];
  const manifests = await Array.fromAsync(new Glob('{packages,apps}/*/package.json').scan(root));
  for (const path of manifests.map((path) => path.replaceAll('\\', '/')).sort()) {
    const manifest: Manifest = await Bun.file(join(root, path)).json();
    if (manifest.private === true) continue;
    const { name, version } = manifest;
    const dependencies = { ...manifest.peerDependencies, ...manifest.dependencies };
    found.push({ name, version, folder: path.slice(0, -'/package.json'.length), dependencies });
  }
  return inDependencyOrder(found);
}

/**
 * Orders packages so that each follows its dependencies; otherwise keeps the given order.
 *
 * @throws {RangeError} if packages depend on each other in a cycle, or on a workspace package that is not
 *   published.
 */
export function inDependencyOrder<Package extends Pick<PublishedPackage, 'name' | 'dependencies'>>(
  packages: readonly Package[],
): readonly Package[] {
  const names = new Set(packages.map(({ name }) => name));
  for (const { name, dependencies } of packages) {
    for (const [needed, range] of Object.entries(dependencies)) {
      if (!range.startsWith('workspace:') || names.has(needed)) continue;
      throw new RangeError(
        `${name}: expected ${needed}, which it depends on, to be published too, received a private package; remove "private" from that package.json, or the dependency from this one`,
      );
    }
  }
  const ordered: Package[] = [];
  let left = packages;
  while (left.length > 0) {
    const isLeft = new Set(left.map(({ name }) => name));
    const free = left.filter(({ dependencies }) =>
      Object.keys(dependencies).every((name) => !isLeft.has(name)),
    );
    if (free.length === 0) {
      throw new RangeError(
        `packages: expected dependencies without a cycle, received one among ${[...isLeft].join(', ')}`,
      );
    }
    ordered.push(...free);
    left = left.filter((one) => !free.includes(one));
  }
  return ordered;
}

/**
 * Packs the built packages for publishing: workspace dependencies become versions, and declarations and
 * chunks that no export reaches are omitted.
 *
 * @param folder - receives the tarballs.
 */
export async function packPackages(folder: string): Promise<readonly PackedPackage[]> {
  const packages = await findPublishedPackages();
  const versions = new Map(packages.map(({ name, version }) => [name, version]));
  const packed: PackedPackage[] = [];
  for (const one of packages) {
    const copy = await mkdtemp(join(tmpdir(), 'kp-pack-'));
    try {
      await copyPackage(join(root, one.folder), copy, versions);
      const command = [process.execPath, 'pm', 'pack', '--destination', folder, '--quiet'];
      const tarball = (await outputOf(command, { cwd: copy })).trim();
      const hash = new Bun.CryptoHasher('sha512').update(await Bun.file(tarball).bytes());
      packed.push({ ...one, tarball, integrity: `sha512-${hash.digest('base64')}` });
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  }
  return packed;
}

/** Parts of a package that may be published; its `files` select among them. */
const PARTS = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'schema.json', 'dist'];

async function copyPackage(
  from: string,
  to: string,
  versions: ReadonlyMap<string, string>,
): Promise<void> {
  for (const part of PARTS) {
    const path = join(from, part);
    if (existsSync(path)) await cp(path, join(to, part), { recursive: true });
  }
  const {
    devDependencies: _,
    scripts: __,
    ...manifest
  } = await Bun.file(join(to, 'package.json')).json();
  for (const dependencies of [manifest.dependencies, manifest.peerDependencies]) {
    for (const name of Object.keys(dependencies ?? {})) {
      if (dependencies[name].startsWith('workspace:')) dependencies[name] = versions.get(name);
    }
  }
  await Bun.write(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const reached = await reachedDeclarations(to, manifest.exports ?? {});
  for (const path of new Glob('dist/**/*.d.ts').scanSync(to)) {
    if (!reached.has(path.replaceAll('\\', '/'))) await rm(join(to, path));
  }
  const chunks = await reachedChunks(to, manifest);
  for (const path of new Glob('dist/**/*.js').scanSync(to)) {
    if (!chunks.has(path.replaceAll('\\', '/'))) await rm(join(to, path));
  }
}

/** What leads into a package: its main module, its exports, under any condition, and its commands. */
interface EntryPoints {
  readonly main?: unknown;
  readonly exports?: unknown;
  readonly bin?: unknown;
}

/** An import, static or not, or the file of a worker thread. */
const LOADED = /(?:\bfrom|\bimport|\bnew URL)\s*\(?\s*["'](\.[^"']+\.js)["']/g;

/**
 * The built modules that the entry points of a package reach, relative to its folder.
 *
 * @throws {Error} if one of them is missing.
 */
export async function reachedChunks(
  folder: string,
  { main, exports, bin }: EntryPoints,
): Promise<ReadonlySet<string>> {
  const reached = new Set(modulesIn([main, exports, bin]));
  // The loop also visits files that it adds.
  for (const path of reached) {
    const text = await Bun.file(join(folder, path)).text();
    for (const [, specifier = ''] of text.matchAll(LOADED)) {
      reached.add(posix.join(posix.dirname(path), specifier));
    }
  }
  return reached;
}

/** The modules that an entry of a manifest names, which may be nested by conditions. */
function modulesIn(entry: unknown): readonly string[] {
  if (typeof entry === 'string') return entry.endsWith('.js') ? [posix.normalize(entry)] : [];
  if (typeof entry !== 'object' || entry === null) return [];
  return Object.values(entry).flatMap(modulesIn);
}

/** The declarations that the exports of a package reach, relative to its folder. */
async function reachedDeclarations(
  folder: string,
  exported: Readonly<Record<string, { readonly types?: string } | string>>,
): Promise<ReadonlySet<string>> {
  const reached = new Set(
    Object.values(exported).flatMap((entry) =>
      typeof entry === 'string' || entry.types === undefined ? [] : [posix.normalize(entry.types)],
    ),
  );
  // The loop also visits files that it adds.
  for (const path of reached) {
    const text = await Bun.file(join(folder, path)).text();
    for (const [, specifier = ''] of text.matchAll(/(?:from |import\()\s*['"](\.[^'"]+)['"]/g)) {
      const target = posix.join(posix.dirname(path), specifier).replace(/\.tsx?$/, '.d.ts');
      if (target.endsWith('.d.ts')) reached.add(target);
    }
  }
  return reached;
}
