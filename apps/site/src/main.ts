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
import { redirectRenamedPages, writeRedirect } from './redirects.ts';
import { LANGUAGES } from './texts/index.ts';
import { UNTRANSLATED } from './untranslated.ts';

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
// docs/reference.md replaces the generated list of packages.
await rm(join(reference, 'README.md'));

const playground = join(root, 'apps/playground/dist');
const published = join(site, 'public/playground');
await rm(published, { recursive: true, force: true });
if (existsSync(playground)) await cp(playground, published, { recursive: true });

if (command === 'build') {
  await build(site);
  const base = process.env.KP_SITE_BASE ?? '/';
  await redirectRenamedPages(join(site, 'dist'), base);
  await redirectToEnglish(join(site, 'dist'), base);
  const problems = await checkSite(join(site, 'dist'), base);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
} else {
  const server = await createServer(site);
  await server.listen();
  server.printUrls();
}

/** The language menu links to every page in every language: without a translation, redirect to the English page. */
async function redirectToEnglish(folder: string, base: string): Promise<void> {
  const prefixes = LANGUAGES.filter((language) => language !== 'en');
  const pages = [...new Glob('**/*.html').scanSync(folder)].filter(
    (page) =>
      !/^(?:playground\/|404)/.test(page) && !prefixes.some((each) => page.startsWith(`${each}/`)),
  );
  for (const page of pages) {
    for (const prefix of prefixes) {
      const file = join(folder, prefix, page);
      if (!existsSync(file)) await writeRedirect(file, `${base}${page}?${UNTRANSLATED}=${prefix}`);
    }
  }
}
