import { describe, expect, it } from 'bun:test';
import { turnsDuring } from '@kp/testing/turns';
import { safetensorsFile, wordTokenizer } from '../../test/safetensors-file.ts';
import { embeddings, tokenizer } from '../../test/static-model.ts';
import type { Embedding } from '../embedding/embedder.ts';
import { createStaticEmbedder } from './create-static-embedder.ts';

describe('createStaticEmbedder', () => {
  it('averages known tokens: north and east, 3 and 4, give (3,4)/5', async () => {
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

  it('truncates at maxTokens and reports it', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    const embedder = createStaticEmbedder({ files, maxTokens: 1 });
    const [cut, whole] = await embedder.embed(['north east', 'north']);
    expect(cut).toMatchObject({ truncated: true, tokens: 1 });
    expect(whole).toMatchObject({ truncated: false, tokens: 1 });
    expect(cut?.vector).toEqual(whole?.vector as Float32Array);
  });

  it('truncates at maxTokens in a later piece of a long text', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    // A piece of 16,384 characters contains 2,730 words.
    const embedder = createStaticEmbedder({ files, maxTokens: 3_000 });
    const [cut, whole] = await embedder.embed(['north '.repeat(6_000), 'north '.repeat(3_000)]);
    expect(cut).toMatchObject({ truncated: true, tokens: 3_000 });
    expect(whole).toMatchObject({ truncated: false, tokens: 3_000 });
  });

  it('describes invalid options and files with a remedy', async () => {
    const model = safetensorsFile({ embeddings });
    const files = { model, tokenizer };
    expect(() => createStaticEmbedder({ files, pooling: 'max' as 'mean' })).toThrow(
      'pooling: expected mean or start, received "max"',
    );
    expect(() => createStaticEmbedder({})).toThrow(
      'static embedder: expected one of path and files, received an object',
    );
    const replace =
      'replace it with the published file, or delete it so that it is downloaded again';
    const lone = safetensorsFile({ other: embeddings });
    expect(() => createStaticEmbedder({ files: { model: lone, tokenizer } })).toThrow(
      'files.model: expected the header of a model2vec model, received expected a tensor named ' +
        `embeddings, received other; ${replace}`,
    );
    const messageOf = (given: object, dimensions = 3) =>
      createStaticEmbedder({ files: { ...files, ...given }, dimensions })
        .ready()
        .then(String, ({ message }: Error) => message);
    expect(await messageOf({ model: lone })).toStartWith(
      'files.model: expected a model2vec model, received expected a tensor named embeddings',
    );
    expect(await messageOf({}, 4)).toBe(
      'files.model: expected 4 dimensions, received 3; set dimensions: 3, or use a model of 4 dimensions',
    );
    expect(await messageOf({ tokenizer: '{' })).toStartWith('files.tokenizer: expected JSON, ');
    expect(await messageOf({ tokenizer: '{}' })).toMatch(
      /^files\.tokenizer: expected a tokenizer, received .*; replace it with/,
    );
    expect(await messageOf({ tokenizer: wordTokenizer(['a']) })).toBe(
      `files.tokenizer: expected the model's tokenizer, of 4 entries, received 1; ${replace}`,
    );
    expect(() => createStaticEmbedder({ path: '/no/model/here' })).toThrow(
      '; set path to a folder with model.safetensors and tokenizer.json',
    );
  });

  it('counts the 31st token half as much as the first with pooling start', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    const start = createStaticEmbedder({ files, pooling: 'start' });
    const mean = createStaticEmbedder({ files });
    const text = `north ${'up '.repeat(29)} east`;
    const [weighted] = await start.embed([text]);
    const [even] = await mean.embed([text]);
    const ratio = ({ vector: [north = 0, east = 0] }: { vector: Float32Array }) => east / north;
    if (!weighted || !even) throw new Error('one text went in');
    // The vectors of the two tokens have lengths 3 and 4.
    expect(ratio(even)).toBeCloseTo(4 / 3, 5);
    expect(ratio(weighted)).toBeCloseTo(4 / 3 / 2, 5);
    expect(start.id).toBe(`${mean.id}/start`);
  });

  it('yields to the event loop within a long text and checks the signal there', async () => {
    const files = { model: safetensorsFile({ embeddings }), tokenizer };
    const embedder = createStaticEmbedder({ files, cache: false });
    await embedder.ready();
    const text = 'north east up '.repeat(100_000);
    let whole: Embedding | undefined;
    const turns = await turnsDuring(async () => {
      [whole] = await embedder.embed([text]);
    });
    expect(whole?.tokens).toBe(300_000);
    expect(turns).toBeGreaterThan(3);
    const controller = new AbortController();
    await turnsDuring(async () => {
      const abandoned = embedder.embed([text], { signal: controller.signal });
      setImmediate(() => controller.abort(new Error('enough')));
      await expect(abandoned).rejects.toThrow('enough');
    });
  });
});
