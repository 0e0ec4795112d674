import { describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { licenceNotices, packagesOf } from './licence-notices.ts';

const folder = useFolder('licences-');

async function install(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const installed = join(folder, 'node_modules', name);
  const manifest = JSON.stringify({ name, version: '1.2.3', license: 'MIT' });
  for (const [path, text] of Object.entries({ 'package.json': manifest, ...files })) {
    await Bun.write(join(installed, path), text);
  }
  return installed;
}

describe('packagesOf', () => {
  it('names each installed package once, the innermost, and none of our sources', () => {
    const modules = [
      'src/main.ts',
      'node_modules/b/index.js',
      'node_modules/.bun/@a+c@1/node_modules/@a/c/lib/one.js',
      'node_modules/.bun/@a+c@1/node_modules/@a/c/lib/two.js',
    ];
    expect(packagesOf(modules)).toEqual(
      ['node_modules/.bun/@a+c@1/node_modules/@a/c', 'node_modules/b'].map((path) =>
        join(process.cwd(), path),
      ),
    );
  });
});

describe('licenceNotices', () => {
  it('contains names, versions and whole licences in order', async () => {
    const folders = [
      await install('b', { LICENSE: 'Copyright B\n' }),
      await install('@a/c', { 'licence.md': '\nCopyright A\n' }),
    ];
    const [introduction, ...notices] = (await licenceNotices(folders)).split(/\n\n-{72}\n\n/);
    expect(introduction).toContain('code of the packages below');
    expect(notices).toEqual(['@a/c 1.2.3 (MIT)\n\nCopyright A', 'b 1.2.3 (MIT)\n\nCopyright B\n']);
  });

  it('refuses a package without a licence', async () => {
    const installed = await install('d', { 'README.md': 'MIT' });
    await expect(licenceNotices([installed])).rejects.toThrow(
      'd 1.2.3: expected a file with its licence, received none',
    );
  });
});
