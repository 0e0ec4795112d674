import { afterAll, beforeAll, expect, it, spyOn } from 'bun:test';
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { describeWith, modelsNeed } from '@kp/testing/needs';
import { modelsFolder, SMALL_MODEL } from '../../test/models.ts';
import { wordTokenizer } from '../../test/safetensors-file.ts';
import { createTransformersEmbedder } from '../create-transformers-embedder.ts';
import type { EmbedderLoadError } from '../embedding/errors.ts';
import type { DownloadProgress } from '../files/download.ts';
import { importTransformers } from './transformers-library.ts';
import type { DownloadNotice, TransformersEmbedderOptions } from './transformers-options.ts';

const source = join(modelsFolder, SMALL_MODEL.model);

describeWith(modelsNeed, 'createTransformersEmbedder with damaged files', () => {
  const folder = useFolder('transformers-');
  let files: string;
  let time = 0;
  const restore = () => cp(source, files, { recursive: true, force: true });
  const create = (extra: TransformersEmbedderOptions = {}) =>
    createTransformersEmbedder({
      ...SMALL_MODEL,
      localModelPath: folder,
      retry: { initialDelayMs: 1, maxDelayMs: 1, now: () => time },
      ...extra,
    });
  const failureOf = async (promise: Promise<unknown>): Promise<EmbedderLoadError> => {
    return promise.then(
      () => {
        throw new Error('expected a failure');
      },
      (error: EmbedderLoadError) => error,
    );
  };

  beforeAll(async () => {
    files = join(folder, SMALL_MODEL.model);
    await restore();
  });

  it('names the damaged file, and the same embedder works after a repair', async () => {
    const embedder = create();
    const onnx = join(files, 'onnx', 'model_quantized.onnx');
    const cases = [
      [() => truncate(onnx, 1_000_000), 'FILE_DAMAGED', onnx],
      [() => rm(onnx), 'FILE_MISSING', onnx],
      [() => writeFile(join(files, 'tokenizer.json'), '{"a":'), 'FILE_DAMAGED', 'tokenizer.json'],
      [
        () => writeFile(join(files, 'tokenizer.json'), '{"model":{}}'),
        'FILE_DAMAGED',
        'tokenizer.json',
      ],
      [() => rm(join(files, 'tokenizer_config.json')), 'FILE_MISSING', 'tokenizer_config.json'],
      [() => writeFile(join(files, 'config.json'), 'null'), 'FILE_DAMAGED', 'config.json'],
      [
        () => writeFile(join(files, 'config.json'), '{"model_type":"bert","hidden_size":256}'),
        'DIMENSION_MISMATCH',
        'config.json',
      ],
    ] as const;
    for (const [damage, code, file] of cases) {
      await damage();
      const error = await failureOf(embedder.embed(['a']));
      expect(error).toMatchObject({ code, subject: expect.stringContaining(file) });
      expect(error.message).toContain(`${error.remedy}`);
      expect(await failureOf(embedder.embed(['a']))).toBe(error);
      await restore();
      time += 2;
    }
    expect(await embedder.embed(['a'])).toHaveLength(1);
    await embedder.close();
  });

  it('rejects a tokenizer with more entries than the model', async () => {
    const words = Array.from({ length: 29_529 }, (_, i) => `w${i}`);
    await writeFile(join(files, 'tokenizer.json'), JSON.stringify(wordTokenizer(words)));
    const error = await failureOf(create().ready());
    expect(error).toMatchObject({ code: 'FILE_DAMAGED', received: '29529 entries' });
    await restore();
  });

  it('rejects a file with a wrong hash and accepts it with the right one', async () => {
    const wrong = 'ab'.repeat(32);
    const pinned = create({ sha256: { 'onnx/model_quantized.onnx': wrong } });
    const error = await failureOf(pinned.ready());
    expect(error).toMatchObject({ code: 'FILE_HASH_MISMATCH', expected: `sha256 ${wrong}` });
    const right = error.received.replace('sha256 ', '').toUpperCase();
    const embedder = create({ sha256: { 'onnx/model_quantized.onnx': right } });
    await embedder.ready();
    await embedder.close();
  });
});

describeWith(modelsNeed, 'createTransformersEmbedder that downloads', () => {
  let folder: string;
  let served: string[] = [];
  const notices: DownloadNotice[] = [];
  let answer: (path: string) => Response | Promise<Response>;
  const server = Bun.serve({
    port: 0,
    // The server never closes the connection by itself.
    idleTimeout: 0,
    fetch: (request) => {
      const path = new URL(request.url).pathname;
      served.push(path);
      return answer(path);
    },
  });
  const serveModel = (path: string): Response =>
    new Response(Bun.file(join(modelsFolder, path.replace('/resolve/main/', '/'))));
  const create = async (extra: TransformersEmbedderOptions = {}) => {
    const library = await importTransformers();
    const { model, dimensions } = SMALL_MODEL;
    return createTransformersEmbedder({
      model,
      dimensions,
      cacheDir: folder,
      onDownload: (notice) => notices.push(notice),
      transformers: { ...library, env: { ...library.env, remoteHost: server.url.href } },
      ...extra,
    });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transformers-'));
  });
  afterAll(async () => {
    await server.stop(true);
    await rm(folder, { recursive: true });
  });

  it('keeps nothing of an interrupted download and reports the missing part', async () => {
    answer = () => new Response(null, { status: 503 });
    const down = await create();
    await expect(down.ready()).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      subject: `${server.url.href}MinishLab/potion-base-4M-int8/resolve/main/config.json`,
      received: 'HTTP status 503',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('rejects a partial file from the fetch of the library', async () => {
    const library = await importTransformers();
    const fetchPart = async (url: string | URL | Request): Promise<Response> => {
      const path = new URL(String(url)).pathname;
      if (!path.endsWith('.onnx')) return serveModel(path);
      return new Response(new Uint8Array(1_000), { headers: { 'content-length': '3837264' } });
    };
    const env = { ...library.env, remoteHost: server.url.href, fetch: fetchPart as typeof fetch };
    const cacheDir = join(folder, 'part');
    const broken = await create({ cacheDir, transformers: { ...library, env } });
    await expect(broken.ready()).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      subject: expect.stringContaining('onnx/model_quantized.onnx'),
      received: '1000 of 3837264 bytes',
    });
    const kept = await readdir(join(cacheDir, SMALL_MODEL.model));
    expect(kept.toSorted()).toEqual(['config.json', 'tokenizer.json', 'tokenizer_config.json']);
    await rm(cacheDir, { recursive: true });
  });

  it('names the URL and the remedy without a network', async () => {
    const library = await importTransformers();
    const env = { ...library.env, remoteHost: 'http://127.0.0.1:1/' };
    const offline = await create({ transformers: { ...library, env } });
    await expect(offline.ready()).rejects.toThrow(
      /127\.0\.0\.1:1\/MinishLab.*check the network and the model name, or set localModelPath/,
    );
  });

  it('aborts a stalled download and closes the connection', async () => {
    const STALL_MS = 12_345;
    const stalls: (() => void)[] = [];
    const { setTimeout: wait } = globalThis;
    const timer = spyOn(globalThis, 'setTimeout').mockImplementation(((
      run: () => void,
      ms: number,
    ) => (ms === STALL_MS ? stalls.push(run) : wait(run, ms))) as never);
    try {
      for (const part of [undefined, new Uint8Array(10)]) {
        const asked = Promise.withResolvers<void>();
        const progressed = Promise.withResolvers<void>();
        const hangUp = Promise.withResolvers<void>();
        answer = () => {
          asked.resolve();
          if (part === undefined) return new Promise(() => undefined);
          const body = new ReadableStream({
            start: (controller) => controller.enqueue(part),
            cancel: () => hangUp.resolve(),
          });
          return new Response(body);
        };
        const onProgress = () => progressed.resolve();
        const stalled = await create({ stallTimeoutMs: STALL_MS, onProgress });
        const loading = stalled.ready();
        await (part === undefined ? asked : progressed).promise;
        stalls.at(-1)?.();
        await expect(loading).rejects.toMatchObject({
          code: 'DOWNLOAD_FAILED',
          received: 'nothing for 12.345 s',
        });
        if (part !== undefined) await hangUp.promise;
        await stalled.close();
      }
    } finally {
      timer.mockRestore();
    }
  });

  it('aborts the download on close', async () => {
    const asked = Promise.withResolvers<void>();
    answer = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const closing = await create();
    const loading = closing.ready().catch((error: unknown) => error);
    await asked.promise;
    await closing.close();
    expect(await loading).toMatchObject({ code: 'DOWNLOAD_FAILED' });
  });

  it('downloads each file once, reports progress, and needs no network afterwards', async () => {
    answer = serveModel;
    served = [];
    notices.length = 0;
    const progress: DownloadProgress[] = [];
    const first = await create({ onProgress: (report) => progress.push(report) });
    await Promise.all([first.ready(), first.embed(['a']), first.embed(['b'])]);
    await first.close();
    expect(notices).toHaveLength(1);
    expect(served.map((path) => path.replace(/.*\/main\//, '')).toSorted()).toEqual([
      'config.json',
      'onnx/model_quantized.onnx',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
    const last = progress.findLast(({ file }) => file === 'onnx/model_quantized.onnx');
    const { length } = await readFile(join(source, 'onnx', 'model_quantized.onnx'));
    expect(last).toEqual({ file: 'onnx/model_quantized.onnx', loaded: length, total: length });

    answer = () => new Response(null, { status: 503 });
    const offline = await create({ allowRemote: false });
    expect(await offline.embed(['a'])).toHaveLength(1);
    await offline.close();
    const other = await create({ allowRemote: false, revision: 'v2' });
    await expect(other.ready()).rejects.toMatchObject({
      code: 'FILE_MISSING',
      remedy: expect.stringContaining('set allowRemote'),
    });
  });
});
