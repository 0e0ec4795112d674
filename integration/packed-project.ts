import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputOf } from './run-command.ts';

const root = join(import.meta.dir, '..');

/** The packages that people install, by folder. */
export const PUBLISHED = [
  'packages/schema',
  'packages/vector-cache',
  'packages/embedder',
  'packages/scoring',
  'packages/memory',
  'packages/importers',
  'packages/curation',
  'packages/report',
  'packages/integrations',
  'packages/sdk',
  'apps/cli',
] as const;

/** Packs every published package; the tarballs by package name. */
export async function packAll(): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'kp-tarballs-'));
  const tarballs = new Map<string, string>();
  for (const path of PUBLISHED) {
    const cwd = join(root, path);
    const { name } = await Bun.file(join(cwd, 'package.json')).json();
    const command = [process.execPath, 'pm', 'pack', '--destination', folder, '--quiet'];
    tarballs.set(name, (await outputOf(command, { cwd })).trim());
  }
  return tarballs;
}

/**
 * An empty project with the consumer programs, in which `dependencies` are installed; our own
 * packages come from the tarballs, wherever in the tree they are asked for.
 */
export async function createProject(
  tarballs: ReadonlyMap<string, string>,
  dependencies: Readonly<Record<string, string>>,
  installer: 'npm' | 'bun',
  flags: readonly string[] = [],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kp-consumer-'));
  await mkdir(folder, { recursive: true });
  await cp(join(root, 'integration/consumer'), folder, { recursive: true });
  const ours = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
  const direct = Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => [name, ours[name] ?? version]),
  );
  const overrides = Object.fromEntries(Object.entries(ours).filter(([name]) => !(name in direct)));
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: direct,
    overrides,
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
