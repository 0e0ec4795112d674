import { describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { describeWith, modelsNeed, type Need } from '@kp/testing/needs';
import { MINILM_GRAPH, modelsFolder, SMALL_MODEL } from '../../test/models.ts';
import type { Embedder } from '../embedder.ts';
import { withEmbeddingCache } from '../embedding-cache.ts';
import { createLexicalEmbedder } from '../lexical/create-lexical-embedder.ts';
import { createStaticEmbedder } from '../static/create-static-embedder.ts';
import { createTransformersEmbedder } from '../transformers/create-transformers-embedder.ts';
import type { MakeEmbedder } from './contract-rule.ts';
import { checkEmbedderContract, embedderContract } from './embedder-contract.ts';

function keepsTheContract(name: string, makeEmbedder: MakeEmbedder, need?: Need): void {
  const rules = () => {
    for (const { title, check } of embedderContract) it(title, () => check(makeEmbedder));
  };
  if (need === undefined) describe(`the contract: ${name}`, rules);
  else describeWith(need, `the contract: ${name}`, rules);
}

const path = join(modelsFolder, 'MinishLab', 'potion-base-4m-int8-model2vec');

keepsTheContract('lexical', createLexicalEmbedder);
keepsTheContract('lexical, cached', () => withEmbeddingCache(createLexicalEmbedder()));
keepsTheContract('static', () => createStaticEmbedder({ path }), modelsNeed);
keepsTheContract(
  'static, not cached',
  () => createStaticEmbedder({ path, cache: false, pooling: 'start' }),
  modelsNeed,
);
keepsTheContract('transformers', () => createTransformersEmbedder(SMALL_MODEL), modelsNeed);
keepsTheContract(
  'transformers, chunked, not cached',
  () =>
    createTransformersEmbedder({ ...SMALL_MODEL, longText: 'chunk', maxTokens: 64, cache: false }),
  modelsNeed,
);
keepsTheContract(
  'transformers, quantised, not cached',
  () => createTransformersEmbedder({ ...MINILM_GRAPH, cache: false }),
  modelsNeed,
);

describe('the contract finds', () => {
  const broken = (change: Partial<Embedder>): Promise<unknown> => {
    const lexical = createLexicalEmbedder();
    return checkEmbedderContract(() => ({ ...lexical, ...change })).then(
      () => 'kept',
      (error: Error) => error.message,
    );
  };
  const { embed } = createLexicalEmbedder();

  it('nothing to say against a good embedder', async () => {
    expect(await broken({})).toBe('kept');
  });

  it.each<[string, string, Partial<Embedder>]>([
    ['an empty id', 'has an id and whole dimensions', { id: '' }],
    ['wrong dimensions', 'expected 383 values, received 384', { dimensions: 383 }],
    [
      'missing embeddings',
      'expected 8 embeddings, received 7',
      { embed: async (texts) => (await embed(texts)).slice(1) },
    ],
    [
      'vectors that are not of length 1',
      'gives vectors of length 1, or 0 for nothing',
      {
        embed: async (texts) =>
          (await embed(texts)).map((all) => ({ ...all, vector: all.vector.map((x) => 2 * x) })),
      },
    ],
    [
      'vectors that depend on the company',
      'alone and in company',
      { embed: async (texts) => (await embed(texts)).toReversed() },
    ],
    [
      'texts that are made strings',
      'expected a TypeError, received an embedding',
      { embed: (texts) => embed(texts.map(String)) },
    ],
    [
      'texts read too late',
      'reads its texts before it returns',
      { embed: async (texts) => Promise.resolve().then(() => embed(texts)) },
    ],
    [
      'texts that are written to',
      'texts are read only',
      {
        embed: (texts) => {
          if (Object.isFrozen(texts)) return Promise.reject(new TypeError('texts are read only'));
          return embed(texts);
        },
      },
    ],
    ['embeddings after close', 'refuses to embed afterwards', { close: async () => undefined }],
  ])('%s', async (_, message, change) => {
    expect(await broken(change)).toContain(message);
  });

  it('a vector shared between callers', async () => {
    const shared = new Map<string, Float32Array>();
    const sharing: Embedder['embed'] = async (texts) =>
      (await embed(texts)).map((embedding, i) => {
        const text = texts[i] as string;
        const vector = shared.get(text) ?? embedding.vector;
        shared.set(text, vector);
        return { ...embedding, vector };
      });
    expect(await broken({ embed: sharing })).toContain('caller’s own');
  });
});
