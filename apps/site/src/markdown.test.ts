import { expect, it } from 'bun:test';
import { createMarkdownRenderer } from 'vitepress';
import { pagesOfTheRepository } from './markdown.ts';

it('turns empty headings of tables into cells', async () => {
  const markdown = await createMarkdownRenderer('.', {
    config: pagesOfTheRepository('/r', undefined),
  });
  const html = markdown.render('| | a |\n|---|---|\n| b | c |\n', { path: '/r/docs/x.md' });
  expect(html).toMatch(/<thead>\s*<tr>\s*<td><\/td>\s*<th>a<\/th>/);
});
