import { describe, expect, it } from 'bun:test';
import { reasonOf } from './npm-registry.ts';
import { publishAll, type Registry, ReleaseError } from './publish.ts';
import {
  findPublishedPackages,
  inDependencyOrder,
  type PackedPackage,
} from './published-packages.ts';

const packed = (name: string): PackedPackage => ({
  name,
  version: '1.2.0',
  folder: `packages/${name}`,
  dependencies: {},
  tarball: `${name}.tgz`,
  integrity: `sha512-${name}`,
});
const packages = ['a', 'b', 'c'].map(packed);

/** A registry in memory that refuses one package. */
function createRegistry(refused?: string) {
  const held = new Map<string, string>();
  const asked: string[] = [];
  const registry: Registry = {
    integrityOf: async (name, version) => held.get(`${name}@${version}`),
    publish: async ({ name, version, integrity }) => {
      asked.push(name);
      if (name === refused) throw new Error('502 Bad Gateway');
      held.set(`${name}@${version}`, integrity);
    },
  };
  return { held, asked, registry };
}

describe('publishAll', () => {
  it('publishes in the given order and reports each package', async () => {
    const { asked, registry } = createRegistry();
    const lines: string[] = [];
    const result = await publishAll(packages, registry, (line) => lines.push(line));
    expect(asked).toEqual(['a', 'b', 'c']);
    expect(result).toEqual({ published: ['a@1.2.0', 'b@1.2.0', 'c@1.2.0'], skipped: [] });
    expect(lines).toEqual(['a@1.2.0: published', 'b@1.2.0: published', 'c@1.2.0: published']);
  });

  it('stops at the first failure, lists the remaining packages, and continues when repeated', async () => {
    const { held, registry } = createRegistry('b');
    const error = await publishAll(packages, registry, () => undefined).catch((caught) => caught);
    expect(error).toBeInstanceOf(ReleaseError);
    expect(error).toMatchObject({
      code: 'RELEASE_INCOMPLETE',
      published: ['a@1.2.0'],
      failed: 'b@1.2.0',
      left: ['c@1.2.0'],
    });
    expect(error.message).toContain('502 Bad Gateway');
    expect(error.message).toContain('left: b@1.2.0, c@1.2.0');

    const again = createRegistry();
    for (const [id, integrity] of held) again.held.set(id, integrity);
    expect(await publishAll(packages, again.registry, () => undefined)).toEqual({
      published: ['b@1.2.0', 'c@1.2.0'],
      skipped: ['a@1.2.0'],
    });
    expect(again.asked).toEqual(['b', 'c']);
  });

  it('publishes nothing if a version exists with different content', async () => {
    const { held, asked, registry } = createRegistry();
    held.set('c@1.2.0', 'sha512-other');
    const error = await publishAll(packages, registry, () => undefined).catch((caught) => caught);
    expect(error.message).toContain('c@1.2.0: expected the bytes packed here (sha512-c)');
    expect(asked).toEqual([]);
  });
});

describe('reasonOf', () => {
  it.each([
    ['npm error code ENEEDAUTH\nnpm error need auth run npm adduser', 'the secret NPM_TOKEN'],
    ['npm error code E404\nnpm error 404 Not Found - PUT @kp%2fschema', 'npm refused the token'],
    ['npm error Automatic provenance generation not supported for provider: null', 'release.yml'],
    ['npm error You cannot publish over the previously published versions', 'another run'],
    ['npm error code E500', 'an error of npm publish'],
  ])('gives a remedy for %s', (errors, reason) => {
    expect(reasonOf(errors)).toContain(reason);
  });
});

describe('inDependencyOrder', () => {
  it('sorts packages after their dependencies and rejects cycles', () => {
    const one = (name: string, ...needs: string[]) => ({
      name,
      dependencies: Object.fromEntries(needs.map((need) => [need, '*'])),
    });
    const ordered = inDependencyOrder([one('c', 'b', 'zod'), one('b', 'a'), one('a')]);
    expect(ordered.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(() => inDependencyOrder([one('x', 'y'), one('y', 'x'), one('z')])).toThrow(
      'received one among x, y',
    );
  });

  it('rejects a package that depends on a private workspace package', () => {
    const needsPrivate = { name: 'a', dependencies: { inner: 'workspace:*' } };
    expect(() => inDependencyOrder([needsPrivate])).toThrow('a: expected inner, which it depends');
  });
});

describe('the published packages', () => {
  it('have the same version and name their repository', async () => {
    const published = await findPublishedPackages();
    expect(new Set(published.map(({ version }) => version)).size).toBe(1);
    for (const { folder, name } of published) {
      const manifest = await Bun.file(`${import.meta.dir}/../../${folder}/package.json`).json();
      expect(manifest).toMatchObject({
        repository: { type: 'git', directory: folder },
        homepage: expect.stringContaining(`/tree/main/${folder}#readme`),
        bugs: expect.stringContaining('/issues'),
        funding: expect.any(String),
        license: 'MIT',
        engines: { node: '>=22.15' },
        publishConfig: { access: 'public' },
        files: expect.arrayContaining(['CHANGELOG.md', 'dist']),
      });
      expect(manifest.keywords.length).toBeGreaterThan(3);
      expect([name, manifest.repository.url]).toEqual([
        name,
        'git+https://github.com/knowledgepulse/knowledgepulse.git',
      ]);
    }
  });
});
