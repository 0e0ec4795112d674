import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode } from '@kp/testing/node';
import { outputOf } from '@kp/testing/run-command';
import { NPM_INSTALL } from './local-registry.ts';
import type { PackedPackage } from './published-packages.ts';

/**
 * A software bill of materials (CycloneDX 1.6, JSON) of everything that npm installs with all of
 * our packages: every package with its version, licence, digest and dependencies.
 *
 * @throws RangeError if it lacks the digest of a tarball, by which `actions/attest` signs it.
 */
export async function createBillOfMaterials(packages: readonly PackedPackage[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kp-sbom-'));
  try {
    const project = join(folder, 'project');
    const manifest = {
      name: 'knowledgepulse',
      version: packages[0]?.version,
      private: true,
      license: 'MIT',
      dependencies: Object.fromEntries(packages.map(({ name, version }) => [name, version])),
    };
    await Bun.write(join(project, 'package.json'), JSON.stringify(manifest));
    // The tool reads the digests of packages beside their addresses, which a user's settings may omit.
    const install = [...NPM_INSTALL, '--omit-lockfile-registry-resolved=false'];
    await outputOf(install, { cwd: project });
    const tool = { private: true, dependencies: { '@cyclonedx/cyclonedx-npm': '6.0.1' } };
    await Bun.write(join(folder, 'tool/package.json'), JSON.stringify(tool));
    await outputOf([...NPM_INSTALL, '--omit=optional'], { cwd: join(folder, 'tool') });
    const command = join(
      folder,
      'tool/node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js',
    );
    const flags = ['--output-reproducible', '--short-PURLs', '--mc-type', 'library'];
    // The tool expects npm in this variable, but `bun run` sets it to Bun; if it is empty, the tool
    // searches for npm.
    const env = { npm_execpath: '' };
    const bill = await outputOf([await findNode(), command, ...flags], { cwd: project, env });
    for (const { name, integrity } of packages) {
      const digest = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
      if (bill.includes(`"${digest}"`)) continue;
      throw new RangeError(
        `bill of materials: expected SHA-512 ${digest} of ${name}, received none`,
      );
    }
    return bill;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
