import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { outputOf } from '../../integration/run-command.ts';
import { isRelease, pendingChangesets } from './changesets.ts';

/**
 * What CI asks of a pull request: each package that it touches is named by a file of `.changeset/`,
 * unless it is a release, which has taken those files up.
 *
 *   bun run change:check --since origin/main
 */
const root = join(import.meta.dir, '../..');
const MANIFEST = 'packages/sdk/package.json';
const { values } = parseArgs({ options: { since: { type: 'string', default: 'origin/main' } } });

const base = (await outputOf(['git', 'merge-base', values.since, 'HEAD'], { cwd: root })).trim();
const manifest = await outputOf(['git', 'show', `${base}:${MANIFEST}`], { cwd: root });
const before: string = JSON.parse(manifest).version;
const after: string = (await Bun.file(join(root, MANIFEST)).json()).version;
if (isRelease(before, after, pendingChangesets())) {
  console.log(`a release: version ${after} after ${before}, with every change taken up`);
} else {
  const changesets = join(root, 'node_modules/@changesets/cli/bin.js');
  // By Bun: it wants a newer Node than the packages themselves do.
  const child = Bun.spawn([process.execPath, changesets, 'status', '--since', base], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.exitCode = await child.exited;
}
