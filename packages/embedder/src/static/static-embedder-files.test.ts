import { describe, expect, it, spyOn } from 'bun:test';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { safetensorsFile, wordTokenizer } from '../../test/safetensors-file.ts';
import { embeddings, tokenizer } from '../../test/static-model.ts';

const sha256 = (data: Uint8Array | string) =>
  Bun.SHA256.hash(data as Uint8Array<ArrayBuffer>, 'hex');

import { createStaticEmbedder } from './create-static-embedder.ts';

describe('the files of createStaticEmbedder', () => {
  it('accepts the library or a function that returns it, which is not called after close', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    // Every text gets the vector of the word "east".
    class Tokenizer {
      encode() {
        return { ids: [2] };
      }
    }
    let asked = 0;
    const given = async () => {
      asked++;
      return { Tokenizer };
    };
    for (const tokenizers of [{ Tokenizer }, given]) {
      const [vector] = await createStaticEmbedder({ files, tokenizers }).embed(['north']);
      expect(vector?.vector).toEqual(Float32Array.of(0, 1, 0));
    }
    const closed = createStaticEmbedder({ files, tokenizers: given });
    await closed.close();
    for (const call of [closed.embed(['north']), closed.ready()]) {
      await expect(call).rejects.toMatchObject({ code: 'EMBEDDER_CLOSED' });
    }
    expect(asked).toBe(1);
  });

  it('rejects calls after close, and anything but exactly one source', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    const embedder = createStaticEmbedder({ files });
    await embedder.close();
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'EMBEDDER_CLOSED' });
    const message = 'static embedder: expected one of path and files, received an object';
    expect(() => createStaticEmbedder({})).toThrow(message);
    expect(() => createStaticEmbedder({ files, path: '.' })).toThrow(message);
  });

  it('derives its id from the content of both files, independent of their location', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'static-'));
    const idOf = async (name: string, data: Float32Array, words: object) => {
      const path = join(folder, name, 'model');
      await mkdir(path, { recursive: true });
      const model = safetensorsFile({ embeddings: { ...embeddings, data } });
      await writeFile(join(path, 'model.safetensors'), model);
      await writeFile(join(path, 'tokenizer.json'), JSON.stringify(words));
      return createStaticEmbedder({ path, dimensions: 3 }).id;
    };
    try {
      const { data } = embeddings;
      const first = await idOf('first', data, tokenizer);
      expect(first).toMatch(/^static\/[0-9a-f]{16}\/3$/);
      expect(await idOf('copy', data, tokenizer)).toBe(first);
      expect(await idOf('weights', data.with(11, 6), tokenizer)).not.toBe(first);
      const words = wordTokenizer(['[UNK]', 'south', 'east', 'up']);
      expect(await idOf('words', data, words)).not.toBe(first);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('requires a URL or named files without a file system', () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    const builtin = spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    try {
      expect(() => createStaticEmbedder({ path: 'models/potion' })).toThrow(
        'no file system; use an address or files',
      );
      expect(() => createStaticEmbedder({ files })).toThrow('name: expected a name, in a browser');
      expect(createStaticEmbedder({ files, name: 'mine' }).id).toBe('static/mine/3');
    } finally {
      builtin.mockRestore();
    }
  });

  it('loads the bytes used for its id, even if the files change', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'static-'));
    try {
      await writeFile(join(folder, 'model.safetensors'), safetensorsFile({ embeddings }));
      await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
      const embedder = createStaticEmbedder({ path: folder });
      await writeFile(join(folder, 'model.safetensors'), 'another model');
      const [north] = await embedder.embed(['north']);
      expect(north?.vector).toEqual(Float32Array.of(1, 0, 0));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('rejects a file in a folder if its hash does not match', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'static-'));
    const files = { model: safetensorsFile({ embeddings }), tokenizer: JSON.stringify(tokenizer) };
    const pins = {
      'model.safetensors': sha256(files.model),
      'tokenizer.json': sha256(files.tokenizer),
    };
    try {
      await writeFile(join(folder, 'model.safetensors'), files.model);
      await writeFile(join(folder, 'tokenizer.json'), files.tokenizer);
      const options = { path: folder, dimensions: 3 };
      const [north] = await createStaticEmbedder({ ...options, sha256: pins }).embed(['north']);
      expect(north?.vector).toEqual(Float32Array.of(1, 0, 0));
      for (const name of ['model.safetensors', 'tokenizer.json'] as const) {
        const wrong = { ...pins, [name]: 'ab'.repeat(32) };
        await expect(
          createStaticEmbedder({ ...options, sha256: wrong }).ready(),
        ).rejects.toMatchObject({ code: 'FILE_HASH_MISMATCH' });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('accepts files of another realm', async () => {
    const { model, words } = runInNewContext(
      '({ model: Uint8Array.from(bytes), words: Uint8Array.from(text) })',
      {
        bytes: [...safetensorsFile({ embeddings })],
        text: [...new TextEncoder().encode(JSON.stringify(tokenizer))],
      },
    );
    expect(model).not.toBeInstanceOf(Uint8Array);
    const embedder = createStaticEmbedder({ files: { model, tokenizer: words } });
    const [north] = await embedder.embed(runInNewContext("['north']"));
    expect(north?.vector).toEqual(Float32Array.of(1, 0, 0));
  });

  it('aborts a download on close', async () => {
    const asked = Promise.withResolvers<void>();
    const hangUp = Promise.withResolvers<void>();
    const server = Bun.serve({
      port: 0,
      fetch: (request) => {
        request.signal.addEventListener('abort', () => hangUp.resolve());
        asked.resolve();
        return new Promise(() => undefined);
      },
    });
    try {
      const embedder = createStaticEmbedder({ path: server.url.href, dimensions: 3 });
      const loading = embedder.embed(['a']).catch((error: unknown) => error);
      await asked.promise;
      await embedder.close();
      expect(await loading).toMatchObject({ code: 'EMBEDDER_CLOSED' });
      await hangUp.promise;
    } finally {
      await server.stop(true);
    }
  });
});
