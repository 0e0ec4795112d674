import { afterAll, beforeAll, expect, it } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '@kp/testing/chromium';
import { chromiumNeed, describeWith } from '@kp/testing/needs';
import type { Browser } from 'playwright-core';
import { safetensorsFile, wordTokenizer } from '../test/safetensors-file.ts';
import { createLexicalEmbedder } from './lexical/create-lexical-embedder.ts';

const data = Float32Array.of(0, 0, 0, 3, 0, 0, 0, 4, 0);
const MODEL = safetensorsFile({ embeddings: { dtype: 'F32', shape: [3, 3], data } });
const TOKENIZER = wordTokenizer(['[UNK]', 'north', 'east']);

describeWith(chromiumNeed, 'Chromium', () => {
  let browser: Browser;
  let server: ReturnType<typeof Bun.serve>;

  beforeAll(async () => {
    const page = fileURLToPath(new URL('../test/browser-page.ts', import.meta.url));
    const external = ['@huggingface/transformers'];
    const built = await Bun.build({ entrypoints: [page], target: 'browser', external });
    const script = await (built.outputs[0] as Blob).text();
    server = Bun.serve({ port: 0, fetch: (request) => respond(new URL(request.url), script) });
    browser = await launchChromium();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop(true);
  });

  it('embeds with a static model from a URL and lexically, with the same results as this runtime', async () => {
    const page = await browser.newPage();
    await page.goto(server.url.href);
    const handle = await page.waitForFunction('globalThis.embedded');
    const there = (await handle.jsonValue()) as Record<string, unknown>;
    const texts = ['North, east!', 'north', '東京で航空券を予約する', ''];
    const lexical = await createLexicalEmbedder().embed(texts);
    const fives = [0.6, 0.8, 0].map(Math.fround);
    expect(there).toEqual({
      static: [fives, [1, 0, 0], [0, 0, 0], [0, 0, 0]],
      lexical: lexical.map(({ vector }) => [...vector]),
      failure: 'DOWNLOAD_FAILED',
    });
  }, 60_000);
});

function respond({ pathname }: URL, script: string): Response {
  switch (pathname) {
    case '/':
      return new Response('<!doctype html><script type="module" src="/script.js"></script>', {
        headers: { 'content-type': 'text/html' },
      });
    case '/script.js':
      return new Response(script, { headers: { 'content-type': 'text/javascript' } });
    case '/model/model.safetensors':
      return new Response(MODEL as Uint8Array<ArrayBuffer>);
    case '/model/tokenizer.json':
      return Response.json(TOKENIZER);
    default:
      return new Response('not found', { status: 404 });
  }
}
