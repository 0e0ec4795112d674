import { expect, it } from 'bun:test';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { checkSite } from './check-site.ts';
import { redirectRenamedPages } from './redirects.ts';

const folder = useFolder('kp-redirects-');

it('redirects a renamed page to one that exists, below any base', async () => {
  await redirectRenamedPages(folder, '/docs/');
  const old = Bun.file(join(folder, 'how-a-score-comes-about.html'));
  expect(await old.text()).toContain('content="0; url=/docs/score-step-by-step.html"');
  expect(await checkSite(folder, '/docs/')).toHaveLength(1);
  await Bun.write(join(folder, 'score-step-by-step.html'), '<h1>One score step by step</h1>');
  expect(await checkSite(folder, '/docs/')).toEqual([]);
});
