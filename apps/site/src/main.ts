import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readEntryPoints, root } from '@kp/api/entry-points';
import { writeReference } from '@kp/api/reference';
import { Glob } from 'bun';
import { build, createServer } from 'vitepress';
import { checkSite } from './check-site.ts';
import { REFERENCE_FOLDER } from './pages.ts';
import { LANGUAGES } from './texts.ts';

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
for (const problem of await writeReference(await readEntryPoints(), reference)) {
  console.error(problem);
}
// The list of packages that it writes has less to say than docs/reference.md.
await rm(join(reference, 'README.md'));

const playground = join(root, 'apps/playground/dist');
const published = join(site, 'public/playground');
await rm(published, { recursive: true, force: true });
if (existsSync(playground)) await cp(playground, published, { recursive: true });

if (command === 'build') {
  await build(site);
  const base = process.env.KP_SITE_BASE ?? '/';
  await leadToEnglish(join(site, 'dist'), base);
  const problems = await checkSite(join(site, 'dist'), base);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
} else {
  const server = await createServer(site);
  await server.listen();
  server.printUrls();
}

/** The menu of languages leads to an address of every page: where none is, the English one takes over. */
async function leadToEnglish(folder: string, base: string): Promise<void> {
  const prefixes = LANGUAGES.filter((language) => language !== 'en');
  const pages = [...new Glob('**/*.html').scanSync(folder)].filter(
    (page) =>
      !/^(?:playground\/|404)/.test(page) && !prefixes.some((each) => page.startsWith(`${each}/`)),
  );
  for (const page of pages) {
    for (const prefix of prefixes) {
      const file = Bun.file(join(folder, prefix, page));
      if (await file.exists()) continue;
      const address = `${base}${page}`;
      await file.write(
        `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">${page}</a>\n`,
      );
    }
  }
}
