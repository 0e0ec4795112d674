import { posix } from 'node:path';

/** What a page and its translations have in common, in order. */
export interface PageParts {
  readonly codeBlocks: readonly CodeBlock[];
  /** The level of each heading, 1 to 6. */
  readonly headings: readonly number[];
  /** Where links and pictures lead: paths from the root of the repository, or addresses. */
  readonly links: readonly string[];
  /** What stands between backticks in the text, each once. */
  readonly codeSpans: ReadonlySet<string>;
}

export interface CodeBlock {
  /** The line of its fence, from 1. */
  readonly line: number;
  /** From fence to fence. */
  readonly lines: readonly string[];
}

/**
 * The parts of a page that its translations repeat.
 *
 * @param page - its path from the root of the repository, by which links are resolved.
 * @param text - Markdown as we write it: fences of three backticks, headings with `#`.
 */
export function pageParts(page: string, text: string): PageParts {
  const codeBlocks: CodeBlock[] = [];
  const prose: string[] = [];
  let open: { line: number; lines: string[] } | undefined;
  text.split('\n').forEach((line, index) => {
    if (open !== undefined) {
      open.lines.push(line);
      if (line.startsWith('```')) open = undefined;
    } else if (line.startsWith('```')) {
      open = { line: index + 1, lines: [line] };
      codeBlocks.push(open);
    } else prose.push(line);
  });
  const words = prose.join('\n');
  const withoutCode = words.replaceAll(/`[^`]*`/g, '');
  return {
    codeBlocks,
    headings: [...words.matchAll(/^(#{1,6}) /gm)].map(([, marks = '']) => marks.length),
    links: [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) =>
      resolveLink(page, target),
    ),
    codeSpans: new Set(
      [...words.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll('\n', ' ')),
    ),
  };
}

function resolveLink(page: string, target: string): string {
  if (/^(?:[a-z]+:|#)/.test(target)) return target;
  return posix.normalize(posix.join(posix.dirname(page), target));
}
