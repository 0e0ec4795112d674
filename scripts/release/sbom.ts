import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode } from '@kp/testing/node';
import { outputOf } from '@kp/testing/run-command';
import { NPM_INSTALL } from './local-registry.ts';

/**
 * A software bill of materials (CycloneDX 1.6, JSON) of what npm installs for somebody who installs
 * all of our packages: every package with its version, licence, digest and dependencies.
 *
 * @param versions - our packages, by name, and the version of each.
 */
export async function createBillOfMaterials(
  versions: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kp-sbom-'));
  try {
    const project = join(folder, 'project');
    const manifest = {
      name: 'knowledgepulse',
      version: Object.values(versions)[0],
      private: true,
      license: 'MIT',
      dependencies: versions,
    };
    await Bun.write(join(project, 'package.json'), JSON.stringify(manifest));
    await outputOf([...NPM_INSTALL], { cwd: project });
    const tool = { private: true, dependencies: { '@cyclonedx/cyclonedx-npm': '6.0.1' } };
    await Bun.write(join(folder, 'tool/package.json'), JSON.stringify(tool));
    await outputOf([...NPM_INSTALL, '--omit=optional'], { cwd: join(folder, 'tool') });
    const command = join(
      folder,
      'tool/node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js',
    );
    const flags = ['--output-reproducible', '--short-PURLs', '--mc-type', 'library'];
    // Under `bun run` this variable names Bun, where the tool expects npm; empty, it looks for npm.
    const env = { npm_execpath: '' };
    return await outputOf([await findNode(), command, ...flags], { cwd: project, env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
