import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { isChromiumMissing, launchChromium } from '../chromium.ts';
import {
  type BundledPrograms,
  firstLineOf,
  type Program,
  removeBundledPrograms,
} from './bundled-programs.ts';
import type { Bundler } from './bundlers.ts';

/** Tests that each bundler builds the programs from the packed packages, and that they then run. */
export function testBundlers(programs: BundledPrograms, bundlers: readonly Bundler[]): void {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (!isChromiumMissing) browser = await launchChromium();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await removeBundledPrograms(programs);
  });

  const runs = isChromiumMissing ? '(no browser here to run it)' : 'and Chromium runs it';
  const { readme, subpaths, workerRecipe } = programs;
  const cases = bundlers.flatMap((bundler): [string, string, Bundler, Program][] => {
    const all: [string, string, Bundler, Program][] = [
      [bundler.name, 'the program of README.md', bundler, readme],
      [bundler.name, 'a program of every subpath for browsers', bundler, subpaths],
      [bundler.name, 'the recipe of a model in a worker', bundler, workerRecipe],
    ];
    return bundler.bundlesWorkers ? all : all.slice(0, 2);
  });

  describe('from the tarballs', () => {
    it.each(cases)(
      `%s builds %s ${runs}`,
      async (name, _, bundler, { folder, output }) => {
        const out = join(folder, `out-${name.replaceAll(' ', '-')}`);
        await bundler.build(folder, out);
        if (browser !== undefined) expect(await firstLineOf(browser, out)).toBe(output);
      },
      120_000,
    );
  });
}
