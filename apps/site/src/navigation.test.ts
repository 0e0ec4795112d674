import { expect, it } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { pageOf } from './pages.ts';
import { LANGUAGES, type PageKey, SECTIONS, TEXTS } from './texts/index.ts';

const root = join(import.meta.dirname, '../../..');
const sources = new Map(
  ['docs/**/*.md', '{packages,apps}/*/README.md']
    .flatMap((pattern) => [...new Glob(pattern).scanSync(root)])
    .map((source) => [pageOf(source), source]),
);

it.each([...LANGUAGES])('names pages in the sidebar by their titles: %s', (language) => {
  const titles = Object.values(SECTIONS)
    .flat()
    .flatMap((page: PageKey) => {
      const folder = language === 'en' ? '' : `${language}/`;
      const source = sources.get(`${folder}${page.replace(/\/$/, '/index')}.md`);
      // A page without a translation is in the sidebar under its translated title.
      if (source === undefined || !existsSync(join(root, source))) return [];
      const title = /^# (.+)$/m.exec(readFileSync(join(root, source), 'utf8'))?.[1];
      return [[page, title] as const];
    });
  expect(titles.length).toBeGreaterThan(2);
  for (const [page, title] of titles)
    expect([page, TEXTS[language].pages[page]]).toEqual([page, title ?? '']);
});
