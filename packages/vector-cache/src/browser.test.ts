import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { type Answers, answers } from '../test/answers.ts';

const EXECUTABLE = process.env.KP_CHROMIUM ?? '/usr/bin/chromium';
// Elsewhere the test is skipped and says so; in CI a missing browser is a failure.
const isMissing = !existsSync(EXECUTABLE) && process.env.CI === undefined;

describe.skipIf(isMissing)(
  `Chromium (${EXECUTABLE}; scripts/install-chromium.sh installs it)`,
  () => {
    let browser: Browser;
    let server: ReturnType<typeof Bun.serve>;

    beforeAll(async () => {
      const page = fileURLToPath(new URL('../test/browser-page.ts', import.meta.url));
      const built = await Bun.build({ entrypoints: [page], target: 'browser' });
      const script = await (built.outputs[0] as Blob).text();
      server = Bun.serve({ port: 0, fetch: (request) => respond(new URL(request.url), script) });
      browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
    }, 60_000);

    afterAll(async () => {
      await browser?.close();
      await server?.stop(true);
    });

    it('gives the answers of this runtime by WebAssembly SIMD', async () => {
      const there = await answersOf(browser, new URL('/', server.url));
      expect(there.engine).toBe('wasm-simd');
      expect(there.found).toBe(answers('wasm-simd').found);
    }, 60_000);

    it('gives them by plain TypeScript where the page refuses WebAssembly', async () => {
      const there = await answersOf(browser, new URL('/strict', server.url));
      expect(there.engine).toBe('typescript');
      expect(there.found).toBe(answers('wasm-simd').found);
    }, 60_000);
  },
);

/** A page that runs the script; under /strict with a policy that lets it compile nothing. */
function respond(url: URL, script: string): Response {
  if (url.pathname === '/script.js') {
    return new Response(script, { headers: { 'content-type': 'text/javascript' } });
  }
  const policy =
    url.pathname === '/strict' ? "script-src 'self'" : "script-src 'self' 'wasm-unsafe-eval'";
  return new Response('<!doctype html><script type="module" src="/script.js"></script>', {
    headers: { 'content-type': 'text/html', 'content-security-policy': policy },
  });
}

async function answersOf(browser: Browser, url: URL): Promise<Answers> {
  const page = await browser.newPage();
  await page.goto(url.href);
  const handle = await page.waitForFunction('globalThis.vectorCacheAnswers');
  return (await handle.jsonValue()) as Answers;
}
