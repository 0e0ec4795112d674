import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputOf } from '@kp/testing/run-command';
import { packPackages } from '../scripts/release/published-packages.ts';

const root = join(import.meta.dir, '..');

/** Packs every published package; the tarballs by package name. */
export async function packAll(): Promise<ReadonlyMap<string, string>> {
  const packed = await packPackages(await mkdtemp(join(tmpdir(), 'kp-tarballs-')));
  return new Map(packed.map(({ name, tarball }) => [name, tarball]));
}

/**
 * An empty project with the consumer programs, in which `dependencies` are installed; our own
 * packages come from the tarballs, wherever in the tree they are asked for.
 *
 * @param installer - npm takes seconds where Bun takes a fraction of one: for what npm itself may
 *   do differently.
 */
export async function createProject(
  tarballs: ReadonlyMap<string, string>,
  dependencies: Readonly<Record<string, string>>,
  installer: 'npm' | 'bun' = 'bun',
  flags: readonly string[] = [],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kp-consumer-'));
  await mkdir(folder, { recursive: true });
  await cp(join(root, 'integration/consumer'), folder, { recursive: true });
  const ours = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
  const direct = Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => [name, ours[name] ?? version]),
  );
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: direct,
    overrides: ours,
  };
  await Bun.write(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  // onnxruntime-node's install script downloads what only a GPU needs.
  const install =
    installer === 'npm'
      ? ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
      : [process.execPath, 'install'];
  await outputOf([...install, ...flags], { cwd: folder });
  return folder;
}
