import type { Browser, BrowserContextOptions, Page, Worker } from 'playwright-core';

/** A page of the playground, with its errors and requests. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors, and requests to other origins. */
  readonly complaints: string[];
  /** All requests, of the page and its workers. */
  readonly requests: string[];
}

/** @param address - address of the page, with its settings. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options });
  // A machine that is busy with other tests is slow.
  context.setDefaultTimeout(200_000);
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
    // Runs in the browser, without a network.
    if (!url.startsWith(new URL(address).origin) && !/^(blob|data):/.test(url)) {
      complaints.push(`request for ${url}`);
    }
  });
  await page.goto(address);
  await page.waitForSelector('html[data-ready]');
  return { page, complaints, requests };
}

/** Returns the worker of a page, which may start after the page. */
export async function workerOf(page: Page): Promise<Worker> {
  const [worker] = page.workers();
  return worker ?? page.waitForEvent('worker');
}

/** Drops files and folders from disk in the middle of the page, like a user. */
export async function dropPaths(page: Page, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 200, y: 120, data });
  }
}

/** Waits until a page with this number of runs is drawn. */
export async function waitForRuns(page: Page, runs: number): Promise<void> {
  const heading = `${runs.toLocaleString('en-US')} runs`;
  await page.waitForSelector(`.report:not(.stale) .report-head h2:text-is("${heading}")`);
}

/**
 * Returns the longest task of the page during `work`, in milliseconds of processor time. The
 * elapsed time would include other work of the machine.
 */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new TypeError('page: expected one of a browser, received none');
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[];
  };
  const threads = traceEvents.filter(({ args }) => args?.name === 'CrRendererMain');
  const isPage = (event: TraceEvent): boolean =>
    threads.some(({ pid, tid }) => event.pid === pid && event.tid === tid);
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && isPage(event));
  if (tasks.length === 0) throw new Error('trace: expected tasks of the page, received none');
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0);
}

/** The fields of a trace event that we read. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}
