import { beforeEach, describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { checkSite } from './check-site.ts';

const folder = useFolder('kp-site-');
const write = (path: string, text: string) => Bun.write(join(folder, path), text);

describe('checkSite', () => {
  beforeEach(async () => {
    await write('memory/index.html', '<h2 id="which">Which</h2>');
    await write('assets/app.js', '');
  });

  it('accepts links to existing pages, files and anchors, and to other sites', async () => {
    const links = [
      '/memory/',
      'memory/index.html#which',
      '#top',
      '/assets/app.js?v=1#x',
      'https://a.b/',
    ];
    await write(
      'index.html',
      `<p id="top">${links.map((link) => `<a href="${link}">x</a>`).join('')}</p>`,
    );
    expect(await checkSite(folder, '/')).toEqual([]);
  });

  it.each([
    ['<a href="/nowhere.html">', 'nowhere.html'],
    ['<a href="/memory/#gone">', 'memory/index.html#gone'],
    ['<a href="#gone">', 'index.html#gone'],
    ['<img src="gone.png">', 'gone.png'],
    ['<script src="https://a.b/c.js">', 'https://a.b/c.js'],
    ['<link rel="stylesheet" href="//a.b/c.css">', '//a.b/c.css'],
    ['<div id="app"></div>', 'received an empty one'],
  ])('names what is missing in %s', async (html, missing) => {
    await write('index.html', html);
    const problems = await checkSite(folder, '/');
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(missing);
  });

  it('removes the path from which the site is served', async () => {
    await write('index.html', '<a href="/docs/memory/">x</a>');
    expect(await checkSite(folder, '/docs/')).toEqual([]);
  });
});
