import { join } from 'node:path';

/** Pages that were renamed: the old address and the new one, without the ending. */
const RENAMED: readonly (readonly [from: string, to: string])[] = [
  ['how-a-score-comes-about', 'score-step-by-step'],
];

/**
 * Writes a page at each old address that redirects to the new one.
 *
 * @param folder - the built site.
 * @param base - the path that it is served from, such as `/`.
 */
export async function redirectRenamedPages(folder: string, base: string): Promise<void> {
  for (const [from, to] of RENAMED) {
    await writeRedirect(join(folder, `${from}.html`), `${base}${to}.html`);
  }
}

/** Writes an HTML page that redirects immediately, with a link for browsers that do not. */
export async function writeRedirect(file: string, address: string): Promise<void> {
  await Bun.write(
    file,
    `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">${address}</a>\n`,
  );
}
