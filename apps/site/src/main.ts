import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readEntryPoints, root } from '@kp/api/entry-points';
import { writeReference } from '@kp/api/reference';
import { build, createServer } from 'vitepress';
import { REFERENCE_FOLDER } from './pages.ts';

/** Serves the documentation, or builds it as a static folder: `apps/site/dist`. */
const { positionals } = parseArgs({ allowPositionals: true });
const [command = 'serve'] = positionals;
if (command !== 'serve' && command !== 'build') {
  console.error(`docs: expected serve or build, received ${command}`);
  process.exit(2);
}

const site = join(import.meta.dirname, '..');
const reference = join(root, REFERENCE_FOLDER);
await rm(reference, { recursive: true, force: true });
const problems = await writeReference(await readEntryPoints(), reference);
if (problems.length > 0) {
  console.error(`reference: expected words for every name\n${problems.join('\n')}`);
  process.exit(1);
}
// The list of packages that it writes has less to say than docs/reference.md.
await rm(join(reference, 'README.md'));

const playground = join(root, 'apps/playground/dist');
const published = join(site, 'public/playground');
await rm(published, { recursive: true, force: true });
if (existsSync(playground)) await cp(playground, published, { recursive: true });

if (command === 'build') {
  await build(site);
} else {
  const server = await createServer(site);
  await server.listen();
  server.printUrls();
}
