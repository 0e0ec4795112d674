import { afterAll, afterEach, beforeEach, describe, expect, it } from 'bun:test';
import { join, resolve } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { modelFiles } from './model-files.ts';
import type { TransformersLibrary } from './transformers-library.ts';
import type { DownloadNotice, ModelSource } from './transformers-options.ts';

const folder = useFolder('kp-model-');

const content = new TextEncoder().encode('{"hidden_size":4}');

/** A simulated browser for model files: no file system, but the Cache API. */
describe('modelFiles in a browser', () => {
  const stored = new Map<string, Response>();
  const served: string[] = [];
  const server = Bun.serve({
    port: 0,
    fetch: (request) => {
      served.push(new URL(request.url).pathname);
      return new Response(content);
    },
  });
  const { getBuiltinModule } = process;
  const library = {
    env: {
      remoteHost: server.url.href,
      remotePathTemplate: '{model}/resolve/{revision}/',
      cacheDir: null,
      cacheKey: 'models',
      allowLocalModels: false,
    },
  } as TransformersLibrary;
  const source: ModelSource = {
    model: 'some/model',
    revision: 'v1',
    localModelPath: undefined,
    cacheDir: undefined,
    allowRemote: true,
    pins: {},
    downloadPins: {},
    dtype: 'q8',
    onDownload: () => undefined,
    onProgress: undefined,
    stallTimeoutMs: undefined,
    signal: new AbortController().signal,
  };

  beforeEach(() => {
    stored.clear();
    served.length = 0;
    Reflect.set(process, 'getBuiltinModule', () => undefined);
    Reflect.set(globalThis, 'caches', {
      open: async () => ({
        match: async (url: string) => stored.get(url)?.clone(),
        put: async (url: string, response: Response) => void stored.set(url, response),
      }),
    });
  });
  afterEach(() => {
    Reflect.set(process, 'getBuiltinModule', getBuiltinModule);
    Reflect.deleteProperty(globalThis, 'caches');
  });
  afterAll(() => server.stop(true));

  it('downloads into the cache under the URL that transformers.js uses', async () => {
    const files = modelFiles(library, source);
    expect(files.path).toBe('some/model');
    expect(files.options).toEqual({ revision: 'v1', local_files_only: false });
    expect(await files.read('config.json')).toEqual(content);
    expect(await files.read('config.json')).toEqual(content);
    expect(served).toEqual(['/some/model/resolve/v1/config.json']);
    const address = `${server.url.href}some/model/resolve/v1/config.json`;
    expect([...stored.keys()]).toEqual([address]);
    expect(stored.get(address)?.headers.get('content-length')).toBe(String(content.length));
  });

  it('checks the pins of cached files too', async () => {
    await modelFiles(library, source).ensure('config.json');
    const wrong = { ...source, pins: { 'config.json': 'ef'.repeat(32) } };
    await expect(modelFiles(library, wrong).ensure('config.json')).rejects.toMatchObject({
      code: 'FILE_HASH_MISMATCH',
    });
    const right = { ...source, pins: { 'config.json': Bun.SHA256.hash(content, 'hex') } };
    await modelFiles(library, right).ensure('config.json');
  });

  it('downloads nothing without allowRemote', async () => {
    const offline = modelFiles(library, { ...source, allowRemote: false });
    await expect(offline.read('config.json')).rejects.toMatchObject({ code: 'FILE_MISSING' });
    expect(served).toEqual([]);
  });

  it('reads a local URL and allows transformers.js to do so', async () => {
    const localModelPath = `${server.url.href}models/`;
    const local = modelFiles(library, { ...source, localModelPath });
    expect(await local.read('config.json')).toEqual(content);
    expect(served).toEqual(['/models/some/model/config.json']);
    expect(library.env.allowLocalModels).toBe(true);
    expect(stored.size).toBe(0);
  });

  it('announces the content, source and opt-out before a download', async () => {
    const notices: DownloadNotice[] = [];
    const onDownload = (notice: DownloadNotice) => {
      expect(served).toEqual([]);
      notices.push(notice);
    };
    await modelFiles(library, { ...source, onDownload }).read('config.json');
    expect(notices).toMatchObject([
      { model: 'some/model', revision: 'v1', dtype: 'q8', megabytes: undefined },
    ]);
    expect(notices[0]?.message).toBe(
      'The model some/model (q8, of a size that is not known yet) is not on this machine and is now ' +
        `downloaded from ${server.url.href}, once. Nothing is sent but the request. To have no ` +
        'downloads, set the environment variable KP_OFFLINE=1 or the option allowRemote: false; ' +
        'localModelPath takes a folder that has the model.',
    );
    notices.length = 0;
    await modelFiles(library, { ...source, onDownload }).read('config.json');
    expect(notices).toEqual([]);
  });

  it.each([
    ['q8', '23 MB'],
    ['fp16', '46 MB'],
    ['fp32', '91 MB'],
    ['q4', 'of a size that is not known yet'],
  ] as const)('names the hub and the size of the default model: %s, %s', async (dtype, size) => {
    const model = 'Xenova/all-MiniLM-L6-v2';
    let message = '';
    const onDownload = (notice: DownloadNotice) => {
      message = notice.message;
      throw new Error('not now');
    };
    const env = { ...library.env, remoteHost: 'https://huggingface.example/' };
    const files = modelFiles({ ...library, env }, { ...source, model, dtype, onDownload });
    await expect(files.read('config.json')).rejects.toThrow('not now');
    expect(message).toStartWith(
      `The model Xenova/all-MiniLM-L6-v2 (${dtype}, ${size}) is not on this machine and is now ` +
        'downloaded from the Hugging Face hub, once.',
    );
  });
});

describe('modelFiles with a file system', () => {
  const source = { model: 'own/model', pins: {}, downloadPins: {}, dtype: 'q8' };
  const pathOf = (env: object, more: object): string =>
    modelFiles({ env } as TransformersLibrary, { ...source, ...more } as never).path;

  it.each([
    // Folders of transformers.js: the option, its own setting, or a folder next to the program.
    [{ cacheDir: 'theirs' }, { cacheDir: 'ours', revision: 'main' }, 'ours/own/model'],
    [{ cacheDir: 'theirs' }, { revision: 'main' }, 'theirs/own/model'],
    [{ cacheDir: null }, { revision: 'main' }, '.cache/own/model'],
    [{ cacheDir: 'theirs' }, { revision: 'v1' }, 'theirs/own/model/v1'],
    [{ cacheDir: 'theirs' }, { revision: 'v1', localModelPath: 'mine' }, 'mine/own/model'],
  ])('of %j with the option %j are at %s', (env, more, path) => {
    expect(pathOf(env, more)).toBe(resolve(path));
  });

  it('rejects a file in a folder that does not match its pin', async () => {
    await Bun.write(join(folder, 'own/model/config.json'), '{}');
    const filesWith = (sha256: string) =>
      modelFiles(
        { env: {} } as TransformersLibrary,
        {
          ...{ ...source, pins: { 'config.json': sha256 }, localModelPath: folder },
        } as never,
      );
    const digest = new Bun.CryptoHasher('sha256').update('{}').digest('hex');
    expect(await filesWith(digest).ensure('config.json')).toBeUndefined();
    await expect(filesWith('0'.repeat(64)).ensure('config.json')).rejects.toThrow(digest);
  });
});
