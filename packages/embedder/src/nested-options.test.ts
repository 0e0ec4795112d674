import { describe, expect, it } from 'bun:test';
import { safetensorsFile } from '../test/safetensors-file.ts';
import { embeddings, tokenizer } from '../test/static-model.ts';
import { createTransformersEmbedder } from './create-transformers-embedder.ts';
import { createStaticEmbedder } from './static/create-static-embedder.ts';

const files = { model: safetensorsFile({ embeddings }), tokenizer };

describe.each<[string, (options: object) => unknown]>([
  ['createTransformersEmbedder', (options) => createTransformersEmbedder(options)],
  ['createStaticEmbedder', (options) => createStaticEmbedder({ files, ...options })],
])('%s', (_, create) => {
  it.each<[object, string]>([
    [
      { cache: { maxText: 5 } },
      'cache: expected one of maxTexts, maxCharacters, received "maxText"',
    ],
    [{ cache: { maxTexts: 0 } }, 'maxTexts: expected a number of at least 1, received 0'],
    [{ cache: true }, 'cache: expected an object, received true'],
    [{ cache: null }, 'cache: expected an object, received null'],
    [{ retry: { initialDelay: 5 } }, 'did you mean initialDelayMs?'],
    [{ retry: { initialDelayMs: -1 } }, 'retry.initialDelayMs: expected a number of at least 0'],
    [{ retry: { maxDelayMs: Number.NaN } }, 'retry.maxDelayMs: expected a number of at least 0'],
    [{ retry: { maxDelayMs: '5' } }, 'retry.maxDelayMs: expected a number of at least 0, received'],
    [{ retry: { now: 5 } }, 'retry.now: expected a function, received 5'],
    [{ retry: 5 }, 'retry: expected an object, received 5'],
  ])('refuses %p', (options, message) => {
    expect(() => create(options)).toThrow(message);
  });

  it('accepts no cache, and waits without end', () => {
    const waits = { initialDelayMs: 0, maxDelayMs: Number.POSITIVE_INFINITY, now: Date.now };
    expect(() => create({ cache: false, retry: waits })).not.toThrow();
    expect(() => create({ cache: {}, retry: {} })).not.toThrow();
    expect(() => create({ cache: undefined, retry: undefined })).not.toThrow();
  });
});

describe('createStaticEmbedder', () => {
  it('refuses the hash of a file that it does not read, which would check nothing', () => {
    const sha256 = { 'model.safetensor': '0'.repeat(64) };
    expect(() => createStaticEmbedder({ files, sha256 } as never)).toThrow(
      'sha256: expected one of model.safetensors, tokenizer.json, received "model.safetensor"; did you mean model.safetensors?',
    );
  });
});
