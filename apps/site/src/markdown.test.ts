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

it('joins lines of scripts without spaces, and keeps the space of others', async () => {
  const markdown = await createMarkdownRenderer('.', {
    config: pagesOfTheRepository('/r', undefined),
  });
  const textOf = (source: string): string =>
    markdown
      .render(source, { path: '/r/docs/x.md' })
      .replaceAll(/<[^>]+>/g, '')
      .trim();
  expect(textOf('阅读、分享、\n用作示例，**一\n个**分数\n')).toBe('阅读、分享、用作示例，一个分数');
  expect(textOf('スコア\nリング\n')).toBe('スコアリング');
  for (const text of ['단어를\n나눈다', 'one\ntwo', '使用\nBun', '使用 `a`\n模型']) {
    expect(textOf(text)).toBe(text.replaceAll('`', ''));
  }
});
