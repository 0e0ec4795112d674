import { join, posix } from 'node:path';
import { Glob } from 'bun';

/**
 * Checks a built site. Returns one sentence for each empty page, each link to a missing page, file or
 * anchor, and everything that a page would load from another origin.
 *
 * @param folder - the static folder.
 * @param base - the path that it is served from, such as `/`.
 */
export async function checkSite(folder: string, base: string): Promise<readonly string[]> {
  const files = new Set(new Glob('**').scanSync(folder));
  const pages = new Map<string, string>();
  for (const path of files) {
    if (path.endsWith('.html') && !path.startsWith('playground/')) {
      pages.set(path, await Bun.file(join(folder, path)).text());
    }
  }
  const problems: string[] = [];
  for (const [page, html] of pages) {
    // VitePress reports an error while it renders a page, and writes an empty one.
    if (page !== '404.html' && html.includes('<div id="app"></div>')) {
      problems.push(`${page}: expected a page, received an empty one`);
    }
    for (const [, tag, text = ''] of html.matchAll(/<(\w+)\b([^>]*)>/g)) {
      const target = text.match(/\s(?:href|src)="([^"]*)"/)?.[1];
      if (target === undefined || target.startsWith('data:')) continue;
      if (/^(?:[a-z]+:)?\/\//.test(target)) {
        if (tag !== 'a') problems.push(`${page}: expected its own files, received ${target}`);
        continue;
      }
      const missing = findMissing(page, target, base, files, pages);
      if (missing !== undefined) problems.push(`${page}: expected ${missing}, received none`);
    }
  }
  return [...new Set(problems)];
}

function findMissing(
  page: string,
  target: string,
  base: string,
  files: ReadonlySet<string>,
  pages: ReadonlyMap<string, string>,
): string | undefined {
  const [address = '', anchor] = decodeURIComponent(target.replaceAll('&amp;', '&')).split('#');
  const path = address.replace(/\?.*$/, '');
  const absolute = path.startsWith('/')
    ? path.slice(base.length)
    : posix.join(posix.dirname(page), path);
  const named = path === '' ? page : absolute;
  const file = named === '' || named.endsWith('/') ? `${named}index.html` : named;
  if (!files.has(file)) return file;
  const html = pages.get(file);
  if (anchor === undefined || anchor === '' || html === undefined) return undefined;
  return html.includes(`id="${anchor}"`) ? undefined : `${file}#${anchor}`;
}
