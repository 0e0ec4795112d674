import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Glob } from 'bun';
import { readEntryPoints, root } from './entry-points.ts';
import { updateReports } from './reports.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const { check } = values;

const entryPoints = await readEntryPoints();
const changes = await updateReports(entryPoints, { check });
for (const { name, path, difference } of changes) {
  console.log(`${name}: ${relative(root, path)}\n${difference}\n`);
}

const current = new Set(
  entryPoints.map(({ folder, subpath }) => join(folder, 'api', `${subpath}.api.md`)),
);
const stale = [...new Glob('{packages,apps}/*/api/*.api.md').scanSync(root)].filter(
  (path) => !current.has(join(root, path)),
);
for (const path of stale) {
  console.log(`${path}: expected an entry point of its package, received none`);
  if (!check) await rm(join(root, path));
}

const differing = changes.length + stale.length;
console.log(
  `${entryPoints.length} reports, ${differing} ${check ? 'differ' : 'written or removed'}`,
);
if (check && differing > 0) {
  console.log(
    'The public interface differs from the recorded one. If you intend the change, run:\n\n  bun run maintain api\n',
  );
  process.exit(1);
}
