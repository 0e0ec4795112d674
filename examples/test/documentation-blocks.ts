import { join } from 'node:path';
import { Glob } from 'bun';

export const root: string = join(import.meta.dir, '../..');

export interface Block {
  readonly page: string;
  readonly number: number;
  readonly code: string;
  /** What the block prints, when a text block follows it. */
  readonly output: string | undefined;
}

const PLACES = ['README.md', 'docs/**/*.md', '{packages,apps}/*/README.md'];

/** Their code is that of the English pages: scripts/check-translations.ts holds it to that. */
const TRANSLATIONS = new Glob('docs/{zh,ja,ko,es}/**');

/** The English pages of the documentation, by path from the root. */
export const pages: readonly string[] = PLACES.flatMap((place) => [
  ...new Set(new Glob(place).scanSync(root)),
])
  .filter((page) => !TRANSLATIONS.match(page))
  .sort();

/** The TypeScript blocks of all pages, each with the text block that directly follows it. */
export async function readBlocks(): Promise<readonly Block[]> {
  const pattern = /^```ts\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```)?/gm;
  const blocks: Block[] = [];
  for (const page of pages) {
    const text = await Bun.file(join(root, page)).text();
    [...text.matchAll(pattern)].forEach(([, code = '', output], index) => {
      blocks.push({ page, number: index + 1, code, output });
    });
  }
  return blocks;
}

/** A name of a file for a block. */
export function fileOf({ page, number }: Block): string {
  return `${page.replaceAll(/[^a-z]/gi, '-')}-${number}.ts`;
}
