import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readmeProgram } from '../../integration/bundlers/bundled-programs.ts';
import { outputOf } from '../../integration/run-command.ts';
import { type LocalRegistry, NPM_INSTALL, startLocalRegistry } from './local-registry.ts';
import { findPublishedPackages } from './published-packages.ts';

/**
 * The whole release against a registry on this machine: publishes every package by the script of the
 * release, and again; installs each by its name in empty projects, with npm and with Bun; runs the program
 * of README.md and the command there; writes the bill of materials. Leaves nothing behind.
 */
const root = join(import.meta.dir, '../..');
const folder = await mkdtemp(join(tmpdir(), 'kp-rehearsal-'));
const packages = await findPublishedPackages();
const versions = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
const readme = await readmeProgram();
let registry: LocalRegistry | undefined;
try {
  registry = await startLocalRegistry(join(folder, 'registry'));
  const release = [process.execPath, join(import.meta.dir, 'main.ts'), '--rehearsal'];
  // A cache of its own: what a rehearsal published must never be taken for the released packages.
  const env = { ...registry.env, npm_config_cache: join(folder, 'cache') };
  const count = packages.length;
  expectLine(await outputOf(release, { cwd: root, env }), `${count} published, 0 there already`);

  await tryInstaller('npm', NPM_INSTALL, ['node', '--no-warnings'], env);
  const bunEnv = { BUN_INSTALL_CACHE_DIR: join(folder, 'bun-cache') };
  await tryInstaller('Bun', [process.execPath, 'install'], [process.execPath], bunEnv);

  const sbom = join(folder, 'sbom.cdx.json');
  const again = await outputOf([...release, '--sbom', sbom], { cwd: root, env });
  expectLine(again, `0 published, ${count} there already`);
  const bill = await Bun.file(sbom).text();
  for (const { name, version } of packages) {
    expectLine(bill, `"pkg:npm/${name.replace('@', '%40')}@${version}"`);
  }
  const { components } = JSON.parse(bill);
  console.log(`bill of materials: ${components.length} packages`);
  console.log(`rehearsal: passed with ${count} packages of version ${packages[0]?.version}`);
} finally {
  await registry?.close();
  await rm(folder, { recursive: true, force: true });
}

async function tryInstaller(
  name: string,
  install: readonly string[],
  runtime: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const project = join(folder, name);
  await mkdir(project);
  const manifest = { private: true, type: 'module', dependencies: versions };
  await Bun.write(join(project, 'package.json'), JSON.stringify(manifest));
  await Bun.write(join(project, '.npmrc'), registry?.npmrc ?? '');
  await Bun.write(join(project, 'main.mjs'), readme.code);
  await outputOf([...install], { cwd: project, env });
  const imports = packages.map((one) => `import '${one.name}';`);
  const libraries = imports.filter((line) => !line.includes('/cli'));
  await Bun.write(join(project, 'every.mjs'), libraries.join('\n'));
  await outputOf([...runtime, 'every.mjs'], { cwd: project });
  expectLine(await outputOf([...runtime, 'main.mjs'], { cwd: project }), readme.output);
  const kp = join(project, 'node_modules/@knowledgepulse/cli/dist/main.js');
  const version = await outputOf([...runtime, kp, '--version'], { cwd: project });
  expectLine(version, versions['@knowledgepulse/cli'] ?? '');
  console.log(`${name}: ${packages.length} packages installed by name, README.md's program ran`);
}

function expectLine(text: string, expected: string): void {
  if (text.includes(expected)) return;
  throw new Error(
    `rehearsal: expected ${JSON.stringify(expected)}, received ${text.slice(0, 500)}`,
  );
}
