import { beforeAll, describe, expect, it } from 'bun:test';
import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describeWith, modelsNeed } from '@kp/testing/needs';
import { cosine, modelsFolder } from '../../test/models.ts';
import { safetensorsFile, wordTokenizer } from '../../test/safetensors-file.ts';
import type { Embedder } from '../embedder.ts';
import { sha256 } from '../files/hashes.ts';
import { createStaticEmbedder } from './create-static-embedder.ts';

const realPath = join(modelsFolder, 'MinishLab', 'potion-base-4m-int8-model2vec');
const tokenizer = wordTokenizer(['[UNK]', 'north', 'east', 'up']);

describeWith(modelsNeed, 'createStaticEmbedder with a real model', () => {
  let embedder: Embedder;
  beforeAll(() => {
    embedder = createStaticEmbedder({ path: realPath });
  });

  it('gives the published cosines of the model', async () => {
    const [eating, bread, horse, reset, forgot] = await embedder.embed([
      'A man is eating food.',
      'A man is eating a piece of bread.',
      'A man is riding a horse.',
      'How do I reset my password?',
      'I forgot my login credentials',
    ]);
    if (!eating || !bread || !horse || !reset || !forgot) throw new Error('five texts went in');
    expect(embedder.dimensions).toBe(128);
    expect(cosine(eating.vector, bread.vector)).toBeCloseTo(0.787, 3);
    expect(cosine(eating.vector, horse.vector)).toBeCloseTo(0.342, 3);
    expect(cosine(reset.vector, forgot.vector)).toBeCloseTo(0.493, 3);
  });

  it('reads a text of 200,000 characters whole, the same in pieces', async () => {
    const [once, often] = await embedder.embed(['word count ', 'word count '.repeat(20_000)]);
    expect(often).toMatchObject({ truncated: false, tokens: 40_000 });
    expect(cosine(once?.vector as Float32Array, often?.vector as Float32Array)).toBeCloseTo(1, 5);
  });

  it('gives the same with files in memory', async () => {
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

  it('reads from an address, given the dimensions', async () => {
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

  it('names the file that is missing, cut short, wrong or pinned, and loads once it is mended', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'static-'));
    try {
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
      expect(await failure()).toContain(
        `${folder}/model.safetensors: expected a file of the model`,
      );
      expect(() => createStaticEmbedder({ path: folder })).toThrow('model.safetensors');

      await cp(realPath, folder, { recursive: true });
      await truncate(join(folder, 'model.safetensors'), 1_000_000);
      expect(await failure()).toContain(
        'tensor embeddings: expected data inside the 1000000 bytes',
      );

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
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('createStaticEmbedder', () => {
  const embeddings = {
    dtype: 'F32',
    shape: [4, 3],
    data: Float32Array.of(9, 9, 9, 3, 0, 0, 0, 4, 0, 0, 0, 5),
  };

  it('takes the mean of the tokens it knows: north and east, 3 and 4, give (3,4)/5', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    const [both, unknown, empty] = await createStaticEmbedder({ files }).embed([
      'North, east!',
      'south',
      '',
    ]);
    expect(both?.vector).toEqual(Float32Array.of(0.6, 0.8, 0));
    expect(unknown?.vector).toEqual(new Float32Array(3));
    expect(empty?.vector).toEqual(new Float32Array(3));
  });

  it('reads half floats and int8', async () => {
    const half = { dtype: 'F16', shape: [4, 1], data: Uint16Array.of(0, 0x3c00, 0xc000, 0) };
    const int8 = { dtype: 'I8', shape: [4, 2], data: Int8Array.of(0, 0, 3, 4, -128, 0, 0, 0) };
    const texts = ['north', 'east'];
    for (const [model, expected] of [
      [half, [[1], [-1]]],
      [
        int8,
        [
          [0.6, 0.8],
          [-1, 0],
        ],
      ],
    ] as const) {
      const files = { model: safetensorsFile({ embeddings: model }), tokenizer };
      const vectors = await createStaticEmbedder({ files }).embed(texts);
      vectors.forEach(({ vector }, i) => {
        expect(vector).toEqual(Float32Array.from(expected[i] as readonly number[]));
      });
    }
  });

  it('follows the mapping and the weights of a quantised vocabulary', async () => {
    const model = safetensorsFile({
      embeddings: { dtype: 'F32', shape: [2, 2], data: Float32Array.of(1, 0, 0, 1) },
      mapping: { dtype: 'I32', shape: [4], data: Int32Array.of(0, 0, 1, 1) },
      weights: { dtype: 'F64', shape: [4], data: Float64Array.of(1, 3, 4, 1) },
    });
    const [both] = await createStaticEmbedder({ files: { model, tokenizer } }).embed([
      'north east',
    ]);
    expect(both?.vector).toEqual(Float32Array.of(0.6, 0.8));
  });

  it('refuses a mapping that points outside', async () => {
    const model = safetensorsFile({
      embeddings: { dtype: 'F32', shape: [2, 2], data: Float32Array.of(1, 0, 0, 1) },
      mapping: { dtype: 'I32', shape: [4], data: Int32Array.of(0, 0, 1, 2) },
    });
    const embedder = createStaticEmbedder({ files: { model, tokenizer } });
    await expect(embedder.ready()).rejects.toThrow('tensor mapping: expected rows below 2');
  });

  it('cuts at maxTokens and says so', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    const embedder = createStaticEmbedder({ files, maxTokens: 1 });
    const [cut, whole] = await embedder.embed(['north east', 'north']);
    expect(cut).toMatchObject({ truncated: true, tokens: 1 });
    expect(whole).toMatchObject({ truncated: false, tokens: 1 });
    expect(cut?.vector).toEqual(whole?.vector as Float32Array);
  });

  it('cuts at maxTokens in a later piece of a long text too', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    // 16,384 characters a piece are 2,730 words.
    const embedder = createStaticEmbedder({ files, maxTokens: 3_000 });
    const [cut, whole] = await embedder.embed(['north '.repeat(6_000), 'north '.repeat(3_000)]);
    expect(cut).toMatchObject({ truncated: true, tokens: 3_000 });
    expect(whole).toMatchObject({ truncated: false, tokens: 3_000 });
  });

  it('says what is wrong with an option or a file, and what to do', async () => {
    const model = safetensorsFile({ embeddings });
    const files = { model, tokenizer };
    expect(() => createStaticEmbedder({ files, pooling: 'max' as 'mean' })).toThrow(
      'pooling: expected mean or start, received max',
    );
    expect(() => createStaticEmbedder({})).toThrow(
      'static embedder: expected one of path and files, received object',
    );
    const replace = 'Replace the file by the one that was published with the model.';
    const lone = safetensorsFile({ other: embeddings });
    expect(() => createStaticEmbedder({ files: { model: lone, tokenizer } })).toThrow(
      'files.model: expected the header of a model2vec model, received expected a tensor named ' +
        `embeddings, received other. ${replace}`,
    );
    const messageOf = (given: object, dimensions = 3) =>
      createStaticEmbedder({ files: { ...files, ...given }, dimensions })
        .ready()
        .then(String, ({ message }: Error) => message);
    expect(await messageOf({ model: lone })).toStartWith(
      'files.model: expected a model2vec model, received expected a tensor named embeddings',
    );
    expect(await messageOf({}, 4)).toBe(
      'files.model: expected 4 dimensions, received 3. Set dimensions: 3, or leave it out.',
    );
    expect(await messageOf({ tokenizer: '{' })).toStartWith('files.tokenizer: expected JSON, ');
    expect(await messageOf({ tokenizer: '{}' })).toMatch(
      /^files\.tokenizer: expected a tokenizer, received .*\. Replace the file by the one/,
    );
    expect(await messageOf({ tokenizer: wordTokenizer(['a']) })).toBe(
      `files.tokenizer: expected the model's tokenizer, of 4 entries, received 1. ${replace}`,
    );
    expect(() => createStaticEmbedder({ path: '/no/model/here' })).toThrow(
      'Put it there, or correct path: a folder with model.safetensors and tokenizer.json.',
    );
  });

  it('counts the 31st token half of the first with pooling start, by hand', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    const start = createStaticEmbedder({ files, pooling: 'start' });
    const mean = createStaticEmbedder({ files });
    const text = `north ${'up '.repeat(29)} east`;
    const [weighted] = await start.embed([text]);
    const [even] = await mean.embed([text]);
    const ratio = ({ vector: [north = 0, east = 0] }: { vector: Float32Array }) => east / north;
    if (!weighted || !even) throw new Error('one text went in');
    // The vectors of the two tokens are 3 and 4 long.
    expect(ratio(even)).toBeCloseTo(4 / 3, 5);
    expect(ratio(weighted)).toBeCloseTo(4 / 3 / 2, 5);
    expect(start.id).toBe(`${mean.id}/start`);
    expect(() => createStaticEmbedder({ files, pooling: 'max' as 'mean' })).toThrow(RangeError);
  });

  it('has its limit of tokens in its id, where there is one', () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    const { id } = createStaticEmbedder({ files });
    expect(createStaticEmbedder({ files, maxTokens: 1 }).id).toBe(`${id}/1`);
    expect(createStaticEmbedder({ files, maxTokens: 7, pooling: 'start' }).id).toBe(
      `${id}/7/start`,
    );
    for (const maxTokens of [0.5, Number.NaN, -1]) {
      expect(() => createStaticEmbedder({ files, maxTokens })).toThrow(
        `maxTokens: expected a number of at least 1, received ${maxTokens}`,
      );
    }
  });

  it('takes the library, or a function that gives it, which is not asked once it is closed', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    // All texts are east.
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

  it('refuses to embed after close, and anything but one source', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    const embedder = createStaticEmbedder({ files });
    await embedder.close();
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'EMBEDDER_CLOSED' });
    expect(() => createStaticEmbedder({})).toThrow(TypeError);
    expect(() => createStaticEmbedder({ files, path: '.' })).toThrow(TypeError);
    expect(() => createStaticEmbedder({ files, maxTokens: 0 })).toThrow(RangeError);
  });

  it('is named by the content of both files, wherever they are', async () => {
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

  it('is named by the hashes it must have, and by the address where there are none', () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer: JSON.stringify(tokenizer) };
    const pins = {
      'model.safetensors': sha256(files.model).toUpperCase(),
      'tokenizer.json': sha256(new TextEncoder().encode(files.tokenizer)),
    };
    const path = 'https://models.example/small/';
    const served = createStaticEmbedder({ path, dimensions: 3, sha256: pins });
    expect(served.id).toBe(createStaticEmbedder({ files }).id);
    expect(createStaticEmbedder({ path, dimensions: 3 }).id).toBe(
      'static/https://models.example/small/3',
    );
  });

  it('loads the bytes that it was named by, whatever becomes of the files', async () => {
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

  it('takes files of another realm', async () => {
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

  it('lets the event loop turn within a long text, and heeds the signal there', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    const embedder = createStaticEmbedder({ files, cache: false });
    await embedder.ready();
    const text = 'north east up '.repeat(100_000);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const [whole] = await embedder.embed([text]);
    clearInterval(timer);
    expect(whole?.tokens).toBe(300_000);
    expect(turns).toBeGreaterThan(3);
    await expect(embedder.embed([text], { signal: AbortSignal.timeout(1) })).rejects.toThrow();
  });

  it('gives up a download when it is closed', async () => {
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

  it('closes at the end of its block', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    let kept: Embedder;
    {
      await using embedder = createStaticEmbedder({ files });
      kept = embedder;
    }
    await expect(kept.embed(['a'])).rejects.toMatchObject({ code: 'EMBEDDER_CLOSED' });
  });
});
