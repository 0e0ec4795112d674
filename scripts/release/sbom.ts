import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode } from '@kp/testing/node';
import { outputOf } from '@kp/testing/run-command';
import { NPM_INSTALL } from './local-registry.ts';
import type { PackedPackage } from './published-packages.ts';

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
    // Under `bun run` this variable names Bun, where the tool expects npm; empty, it looks for npm.
    const env = { npm_execpath: '' };
    return await outputOf([await findNode(), command, ...flags], { cwd: project, env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Hash {
  readonly alg: string;
  readonly content: string;
}

interface Component {
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly licenses?: readonly unknown[];
  readonly hashes?: readonly Hash[];
  readonly externalReferences?: readonly { readonly hashes?: readonly Hash[] }[];
}

interface Bill {
  readonly bomFormat?: string;
  readonly specVersion?: string;
  readonly components?: readonly Component[];
  readonly dependencies?: readonly { readonly ref: string }[];
}

/**
 * Reads a bill of materials as its users do.
 *
 * @param text - JSON.
 * @param packages - which it must name, with the digests of their tarballs.
 * @returns how many packages it names.
 * @throws {RangeError} when a package is missing, has another digest, or says too little of itself.
 */
export function checkBillOfMaterials(
  text: string,
  packages: readonly Pick<PackedPackage, 'name' | 'version' | 'integrity'>[],
): number {
  const { bomFormat, specVersion, components = [], dependencies = [] }: Bill = JSON.parse(text);
  const demand = (isFine: boolean, expected: string, received: string): void => {
    if (!isFine)
      throw new RangeError(`bill of materials: expected ${expected}, received ${received}`);
  };
  const format = `${bomFormat} ${specVersion}`;
  demand(format === 'CycloneDX 1.6', 'CycloneDX 1.6', format);
  demand(dependencies.length > components.length, 'the dependencies of each package', 'fewer');
  for (const { name, version, purl, licenses = [] } of components) {
    const isWhole = version !== undefined && purl !== undefined && licenses.length > 0;
    demand(isWhole, `version, address and licence of ${name}`, 'less');
  }
  for (const { name, version, integrity } of packages) {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const found = components.find((component) => component.purl === purl);
    demand(found !== undefined, purl, 'no such package');
    const hashes = [
      ...(found?.hashes ?? []),
      ...(found?.externalReferences ?? []).flatMap((reference) => reference.hashes ?? []),
    ];
    const digest = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
    const isListed = hashes.some(({ alg, content }) => alg === 'SHA-512' && content === digest);
    demand(isListed, `SHA-512 ${digest} of ${purl}`, JSON.stringify(hashes));
  }
  return components.length;
}
