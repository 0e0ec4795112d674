import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withRevision } from './revision.ts';

const { TMPDIR } = process.env;
let repository = '';
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kp-revision-'));
  // Other programs create folders with these names in the default temporary folder.
  process.env.TMPDIR = folder;
  repository = join(folder, 'a repository');
  await mkdir(repository);
  git('init', '--quiet');
  await writeFile(join(repository, 'package.json'), '{ "name": "nothing", "private": true }');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'First');
});
afterAll(async () => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await rm(join(repository, '..'), { recursive: true });
});

function git(...words: string[]): string {
  return spawnSync('git', words, { cwd: repository, encoding: 'utf8' }).stdout;
}

/** Leftovers of a checkout: additional worktrees, and temporary folders. */
function leftBehind(): string[] {
  const worktrees = git('worktree', 'list', '--porcelain').match(/^worktree .*kp-compare/gm) ?? [];
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith('kp-compare-'));
  return [...worktrees, ...folders];
}

async function fails(
  revision: string,
  signal = new AbortController().signal,
  onStep: () => void = () => undefined,
) {
  let used = false;
  const error = await withRevision(repository, revision, { signal, onStep }, async () => {
    used = true;
  }).catch((thrown: Error) => thrown);
  return { message: (error as Error | undefined)?.message ?? '', used, left: leftBehind() };
}

describe('withRevision', () => {
  it('rejects an unknown revision', async () => {
    const { message, used, left } = await fails('no-such-thing');
    expect(message).toStartWith(
      '--base: expected a revision of this repository, received no-such-thing',
    );
    expect({ used, left }).toEqual({ used: false, left: [] });
    expect((await fails('--help')).message).toContain('received --help');
  });

  it('reports what did not build, and cleans up', async () => {
    const { message, used, left } = await fails('HEAD');
    expect(message).toContain('expected exit 0, received ');
    expect({ used, left }).toEqual({ used: false, left: [] });
  }, 60_000);

  it('cleans up when it is interrupted', async () => {
    const controller = new AbortController();
    const { message, used, left } = await fails('HEAD', controller.signal, () =>
      controller.abort(),
    );
    expect(message).toContain('abort');
    expect({ used, left }).toEqual({ used: false, left: [] });
    expect(existsSync(join(repository, '.git', 'worktrees'))).toBe(false);
  }, 60_000);
});
