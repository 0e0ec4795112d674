import { join } from 'node:path';
import { outputOf } from '@kp/testing/run-command';
import { Glob } from 'bun';

export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  /** From the root of the repository. */
  readonly folder: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export interface PackedPackage extends PublishedPackage {
  readonly tarball: string;
  /** What a registry says of the same bytes: `sha512-` and the digest in base 64. */
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

/** The packages that people install, each after those of ours that it needs. */
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
 * Each package after those it depends on; else in the order given.
 *
 * @throws {RangeError} when packages depend on one another in a circle, or on a package of the
 *   workspace that is not among them, so that nobody could install them.
 */
export function inDependencyOrder<Package extends Pick<PublishedPackage, 'name' | 'dependencies'>>(
  packages: readonly Package[],
): readonly Package[] {
  const names = new Set(packages.map(({ name }) => name));
  for (const { name, dependencies } of packages) {
    for (const [needed, range] of Object.entries(dependencies)) {
      if (!range.startsWith('workspace:') || names.has(needed)) continue;
      throw new RangeError(
        `${name}: expected ${needed}, which it depends on, to be published too, received a private package; take "private" out of that package.json, or the dependency out of this`,
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
        `packages: expected dependencies without a circle, received one among ${[...isLeft].join(', ')}`,
      );
    }
    ordered.push(...free);
    left = left.filter((one) => !free.includes(one));
  }
  return ordered;
}

/**
 * Packs what is built, as it will be published: dependencies within the workspace become versions.
 *
 * @param folder - takes the tarballs.
 * @throws {RangeError} when a tarball asks for another version of our packages than is packed with it,
 *   as it does when bun.lock is behind the manifests.
 */
export async function packPackages(folder: string): Promise<readonly PackedPackage[]> {
  const packages = await findPublishedPackages();
  const versions = new Map(packages.map(({ name, version }) => [name, version]));
  const packed: PackedPackage[] = [];
  for (const one of packages) {
    const command = [process.execPath, 'pm', 'pack', '--destination', folder, '--quiet'];
    const tarball = (await outputOf(command, { cwd: join(root, one.folder) })).trim();
    const bytes = await Bun.file(tarball).bytes();
    const manifest = (await new Bun.Archive(bytes).files()).get('package/package.json');
    const asked: Manifest = JSON.parse((await manifest?.text()) ?? '{}');
    for (const [name, version] of Object.entries(asked.dependencies ?? {})) {
      const expected = versions.get(name);
      if (expected === undefined || version === expected) continue;
      throw new RangeError(
        `${one.name}: expected its tarball to ask for ${name} ${expected}, received ${version}; run bun install, which brings bun.lock up to date`,
      );
    }
    const integrity = `sha512-${new Bun.CryptoHasher('sha512').update(bytes).digest('base64')}`;
    packed.push({ ...one, tarball, integrity });
  }
  return packed;
}
