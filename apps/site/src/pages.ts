import { posix } from 'node:path';

/** The folder of the generated reference, from the root of the repository. */
export const REFERENCE_FOLDER = 'apps/site/reference';

/** Which Markdown files are pages: source, from the root of the repository, and place on the site. */
const PLACES: readonly (readonly [source: RegExp, page: string])[] = [
  [/^README\.md$/, 'index.md'],
  [/^docs\/reference\.md$/, 'reference/index.md'],
  [/^README\.(zh|ja|ko|es)\.md$/, '$1/index.md'],
  [/^docs\/(.+\.md)$/, '$1'],
  [/^(?:packages|apps)\/(\w[\w-]*)\/README\.md$/, 'packages/$1.md'],
  [/^packages\/(\w[\w-]*)\/docs\/(.+\.md)$/, 'packages/$1/$2'],
  [/^apps\/site\/reference\/(.+\.md)$/, 'reference/$1'],
];

/**
 * The place on the site of a Markdown file.
 *
 * @param source - the file, or a folder that has a README, from the root of the repository.
 * @returns the path of the page, as in `memory.md`; undefined for what is no page.
 */
export function pageOf(source: string): string | undefined {
  for (const [pattern, page] of PLACES) {
    if (pattern.test(source)) return source.replace(pattern, page);
  }
  return source.endsWith('.md') ? undefined : pageOf(posix.join(source, 'README.md'));
}

/** What a link in a Markdown file of the repository leads to. */
export type Target =
  | { readonly kind: 'page'; readonly address: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'as it is' };

/**
 * Follows a relative link as GitHub does.
 *
 * @param source - the Markdown file with the link, from the root of the repository.
 * @param link - as it is written there: `../packages/memory#readme`.
 * @returns the page's address from the root of the site, or the file, from the root of the repository.
 */
export function followLink(source: string, link: string): Target {
  const [path = '', anchor] = link.split('#');
  if (path === '' || path.startsWith('/') || /^[a-z]+:/i.test(path)) return { kind: 'as it is' };
  const file = posix.join(posix.dirname(source), decodeURI(path)).replace(/\/$/, '');
  const page = pageOf(file);
  if (page === undefined) return { kind: 'file', path: file };
  const withAnchor = anchor === undefined || anchor === 'readme' ? '' : `#${anchor}`;
  return { kind: 'page', address: `/${page.replace(/(^|\/)index\.md$/, '$1')}${withAnchor}` };
}
