import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page of the playground, and what a reader should not have to see of it. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors, and requests to other places than where the page came from. */
  readonly complaints: string[];
  /** All requests, of the page and its workers. */
  readonly requests: string[];
}

/** @param address - of the page, with what it is to begin with. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('request', (request) => {
    const url = request.url();
    requests.push(url);
    // Within the browser, without a network.
    if (!url.startsWith(new URL(address).origin) && !/^(blob|data):/.test(url)) {
      complaints.push(`request for ${url}`);
    }
  });
  await page.goto(address);
  await page.waitForSelector('html[data-ready]');
  return { page, complaints, requests };
}

/** Drops files and folders of the disk in the middle of the page, as a person does. */
export async function dropPaths(page: Page, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 200, y: 120, data });
  }
}

/** Waits until a page of so many runs is drawn. */
export async function waitForRuns(page: Page, runs: number): Promise<void> {
  const heading = `${runs.toLocaleString('en-US')} runs`;
  await page.waitForSelector(`.report:not(.stale) .report-head h2:text-is("${heading}")`);
}
