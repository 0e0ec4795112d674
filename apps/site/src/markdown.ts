import { posix, relative, sep } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { followLink } from './pages.ts';

/**
 * Adapts pages written for GitHub to the site: rewrites links between files to links between pages,
 * replaces the comment `<!-- playground -->` by the playground, and joins lines of Chinese and Japanese.
 *
 * @param root - the folder of the repository.
 * @param repository - address of the repository's files. Without one, links to files that are not pages
 *   become plain text.
 */
export function pagesOfTheRepository(
  root: string,
  repository: string | undefined,
): (markdown: MarkdownRenderer) => void {
  return (markdown) => {
    markdown.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
      const source = relative(root, env.path).split(sep).join(posix.sep);
      for (const token of tokens) {
        if (token.type === 'html_block' && token.content.trim() === '<!-- playground -->') {
          token.content = '<Playground />\n';
        }
        followLinks(token.children ?? [], source, repository);
        joinLines(token.children ?? []);
      }
      unmarkEmptyHeadings(tokens);
    });
  };
}

/** The anchor of a heading as on GitHub: `BUILT_IN_IMPORTERS` becomes `#built_in_importers`. */
export function anchorOf(heading: string): string {
  const letters = heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
  return letters.replaceAll(/\s/g, '-');
}

function followLinks(
  tokens: readonly Token[],
  source: string,
  repository: string | undefined,
): void {
  let isText = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = followLink(source, token.attrGet('href') ?? '');
      isText = target.kind === 'file' && repository === undefined;
      if (target.kind === 'page') token.attrSet('href', target.address);
      if (target.kind === 'file') token.attrSet('href', `${repository}/${target.path}`);
    }
    // Without a repository address, keep only the text of a link to a file.
    if (isText && (token.type === 'link_open' || token.type === 'link_close')) {
      token.type = token.type.replace('link', 'file');
      token.tag = 'span';
      token.attrs = null;
    }
  }
}

const WIDE_END = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\u3000-\u303f\uff00-\uffef]$/u;
const WIDE_START = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\u3000-\u303f\uff00-\uffef]/u;

/** Removes line ends between characters of scripts without spaces, where they would show as spaces. */
function joinLines(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'softbreak') continue;
    const before = tokens.slice(0, at).findLast(({ content }) => content !== '');
    const after = tokens.slice(at + 1).find(({ content }) => content !== '');
    if (!WIDE_END.test(before?.content ?? '') || !WIDE_START.test(after?.content ?? '')) continue;
    token.type = 'text';
    token.content = '';
  }
}

/** Turns empty headings of tables into cells: a heading without a text names nothing. */
function unmarkEmptyHeadings(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    const [inner, end] = [tokens[at + 1], tokens[at + 2]];
    if (token.type !== 'th_open' || inner?.content !== '' || end === undefined) continue;
    token.tag = 'td';
    end.tag = 'td';
  }
}

type Token = ReturnType<MarkdownRenderer['parse']>[number];
