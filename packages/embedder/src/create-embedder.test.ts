import { describe, expect, it } from 'bun:test';
import { createEmbedder } from './create-embedder.ts';

describe('createEmbedder', () => {
  it('creates each kind, with its options', () => {
    expect(createEmbedder('lexical').id).toBe('lexical/5/384');
    expect(createEmbedder('lexical', { dimensions: 64 }).dimensions).toBe(64);
    expect(createEmbedder('transformers').id).toStartWith('transformers/Xenova/all-MiniLM-L6-v2@');
    const served = createEmbedder('static', { path: 'https://m.example/small', dimensions: 8 });
    expect(served.id).toBe('static/https://m.example/small/8');
  });

  it('names the valid kinds if the kind is unknown', () => {
    const message =
      'embedder: expected one of transformers, static, lexical, task, received "constructor"';
    expect(() => createEmbedder('constructor' as 'lexical')).toThrow(message);
  });

  it.each(['lexical', 'static', 'transformers'] as const)('rejects options of null: %s', (kind) => {
    const create = (): unknown => createEmbedder(kind, null as never);
    expect(create).toThrow('options: expected an object, received null');
  });

  it.each([
    ['lexical', { dimension: 64 }, 'dimensions'],
    ['task', { Dimensions: 64 }, 'dimensions'],
    ['static', { path: 'https://m.example/small', dimensions: 8, maxToken: 5 }, 'maxTokens'],
    ['transformers', { allowremote: false }, 'allowRemote'],
  ] as const)('rejects a misspelt option: %s', (kind, options, meant) => {
    const create = (): unknown => createEmbedder(kind, options as never);
    expect(create).toThrow(`did you mean ${meant}?`);
  });
});
