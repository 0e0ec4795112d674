import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** Draws docs/report.png, the picture of the README: the page of `kp report` of the examples. */
const root = join(import.meta.dir, '..');
const folder = await mkdtemp(join(tmpdir(), 'kp-picture-'));
try {
  const page = join(folder, 'report.html');
  const kp = [process.execPath, 'apps/cli/src/main.ts', 'report', 'examples/traces'];
  const words = ['--include-text', '--title', 'The 49 traces of examples/', '-o', page];
  const { exitCode } = Bun.spawnSync([...kp, ...words], { cwd: root, stderr: 'inherit' });
  if (exitCode !== 0) throw new Error(`kp report: expected exit 0, received ${exitCode}`);
  const executablePath = process.env.KP_CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const tab = await browser.newPage({ viewport: { width: 1280, height: 684 } });
  await tab.goto(pathToFileURL(page).href);
  await tab.waitForSelector('html[data-ready]');
  await tab.screenshot({ path: join(root, 'docs/report.png') });
  await browser.close();
} finally {
  await rm(folder, { recursive: true });
}
