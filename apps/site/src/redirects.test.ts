import { expect, it } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSite } from './check-site.ts';
import { redirectRenamedPages } from './redirects.ts';

it('redirects a renamed page to one that exists, below any base', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kp-redirects-'));
  try {
    await redirectRenamedPages(folder, '/docs/');
    const old = Bun.file(join(folder, 'how-a-score-comes-about.html'));
    expect(await old.text()).toContain('content="0; url=/docs/score-step-by-step.html"');
    expect(await checkSite(folder, '/docs/')).toHaveLength(1);
    await Bun.write(join(folder, 'score-step-by-step.html'), '<h1>One score step by step</h1>');
    expect(await checkSite(folder, '/docs/')).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
