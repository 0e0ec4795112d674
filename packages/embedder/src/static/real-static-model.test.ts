import { beforeAll, expect, it } from 'bun:test';
import { cp, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { describeWith, modelsNeed } from '@kp/testing/needs';
import { cosine, expectPublishedCosines, modelsFolder } from '../../test/models.ts';
import { tokenizer } from '../../test/static-model.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { createStaticEmbedder } from './create-static-embedder.ts';

const folder = useFolder('static-');

const realPath = join(modelsFolder, 'MinishLab', 'potion-base-4m-int8-model2vec');

describeWith(modelsNeed, 'createStaticEmbedder with a real model', () => {
  let embedder: Embedder;
  beforeAll(() => {
    embedder = createStaticEmbedder({ path: realPath });
  });

  it('reproduces the published cosines of the model', async () => {
    await expectPublishedCosines(embedder);
  });

  it('reads a text of 200,000 characters with the same result in pieces', async () => {
    const [once, often] = await embedder.embed(['word count ', 'word count '.repeat(20_000)]);
    expect(often).toMatchObject({ truncated: false, tokens: 40_000 });
    expect(cosine(once?.vector as Float32Array, often?.vector as Float32Array)).toBeCloseTo(1, 5);
  });

  it('returns the same vectors for in-memory files', async () => {
    const files = {
      model: new Uint8Array(await readFile(join(realPath, 'model.safetensors'))),
      tokenizer: await readFile(join(realPath, 'tokenizer.json'), 'utf8'),
    };
    const fromMemory = createStaticEmbedder({ files });
    const texts = ['the parser fails', '解析器'];
    expect(await fromMemory.embed(texts)).toEqual(await embedder.embed(texts));
    expect(fromMemory.id).toMatch(/^static\/[0-9a-f]{16}\/128$/);
    expect(fromMemory.id).toBe(embedder.id);
  });

  it('reads from a URL if the dimensions are given', async () => {
    const server = Bun.serve({
      port: 0,
      fetch: (request) => {
        const file = Bun.file(join(realPath, new URL(request.url).pathname));
        return file
          .exists()
          .then((is) => new Response(is ? file : null, { status: is ? 200 : 404 }));
      },
    });
    try {
      const path = server.url.href;
      const served = createStaticEmbedder({ path, dimensions: 128, name: 'served' });
      expect(await served.embed(['a parser'])).toEqual(await embedder.embed(['a parser']));
      expect(() => createStaticEmbedder({ path })).toThrow('dimensions: expected a number beside');
      const missing = createStaticEmbedder({ path: `${path}nowhere`, dimensions: 128 });
      await expect(missing.ready()).rejects.toMatchObject({
        code: 'DOWNLOAD_FAILED',
        subject: `${path}nowhere/model.safetensors`,
        received: 'HTTP status 404',
      });
    } finally {
      await server.stop(true);
    }
  });

  it('names a missing, truncated, wrong or mismatched file, and loads after it is repaired', async () => {
    let time = 0;
    const create = (extra = {}) =>
      createStaticEmbedder({
        path: folder,
        dimensions: 128,
        name: 'mended',
        retry: { initialDelayMs: 1, maxDelayMs: 1, now: () => time },
        ...extra,
      });
    const mended = create();
    const failure = async () => {
      time += 2;
      return String(await mended.embed(['a']).catch((error: unknown) => error));
    };
    expect(await failure()).toContain(`${folder}/model.safetensors: expected a file of the model`);
    expect(() => createStaticEmbedder({ path: folder })).toThrow('model.safetensors');

    await cp(realPath, folder, { recursive: true });
    await truncate(join(folder, 'model.safetensors'), 1_000_000);
    expect(await failure()).toContain('tensor embeddings: expected data inside the 1000000 bytes');

    await cp(realPath, folder, { recursive: true, force: true });
    await writeFile(join(folder, 'tokenizer.json'), '{"model":');
    expect(await failure()).toContain('tokenizer.json: expected JSON');
    await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
    expect(await failure()).toContain(
      "tokenizer.json: expected the model's tokenizer, of 29528 entries, received 4",
    );
    await cp(realPath, folder, { recursive: true, force: true });
    expect(await mended.ready().catch(String)).toContain('received 4');
    time += 2;
    expect(await mended.embed(['a'])).toHaveLength(1);

    const pinned = create({ sha256: { 'tokenizer.json': 'ab'.repeat(32) } });
    await expect(pinned.ready()).rejects.toMatchObject({ code: 'FILE_HASH_MISMATCH' });
    await expect(create({ dimensions: 384 }).ready()).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
      expected: '384 dimensions',
      received: '128',
    });
  });
});
