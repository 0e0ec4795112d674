import { afterEach, describe, expect, it, spyOn } from 'bun:test';
import { ALL_MINILM_L6_V2_SHA256 } from '../files/hashes.ts';
import { embedPlan, modelPlan, type TransformersEmbedderOptions } from './transformers-options.ts';

const planOf = (options: TransformersEmbedderOptions = {}) =>
  modelPlan(options, new AbortController().signal);
const given = { KP_OFFLINE: process.env.KP_OFFLINE, HF_HUB_OFFLINE: process.env.HF_HUB_OFFLINE };

afterEach(() => {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

describe('the plan of a model', () => {
  it('has the defaults that the documentation names', () => {
    delete process.env.KP_OFFLINE;
    delete process.env.HF_HUB_OFFLINE;
    expect(planOf()).toMatchObject({
      source: {
        model: 'Xenova/all-MiniLM-L6-v2',
        revision: 'main',
        dtype: 'q8',
        allowRemote: true,
        pins: {},
        downloadPins: ALL_MINILM_L6_V2_SHA256,
      },
      dtype: 'q8',
      dimensions: 384,
      maxTokens: Infinity,
      sessionOptions: { intraOpNumThreads: 1, interOpNumThreads: 1 },
    });
  });

  it('contains the published hashes of the default model only for main', () => {
    expect(planOf({ revision: 'old' }).source.downloadPins).toEqual({});
    expect(planOf({ model: 'own/model' }).source.downloadPins).toEqual({});
    const sha256 = { 'config.json': 'ab' };
    expect(planOf({ sha256 }).source).toMatchObject({ pins: sha256, downloadPins: sha256 });
  });

  it.each([
    ['1', false],
    ['true', false],
    ['0', true],
    ['', true],
    ['false', true],
  ])('downloads nothing if the environment forbids it: %j', (value, allowRemote) => {
    for (const name of ['KP_OFFLINE', 'HF_HUB_OFFLINE']) {
      delete process.env.KP_OFFLINE;
      delete process.env.HF_HUB_OFFLINE;
      process.env[name] = value;
      expect(planOf().source.allowRemote).toBe(allowRemote);
      // The option takes precedence.
      expect(planOf({ allowRemote: true }).source.allowRemote).toBe(true);
      expect(planOf({ allowRemote: false }).source.allowRemote).toBe(false);
    }
  });

  it('warns of a download unless a progress callback is given', () => {
    const warn = spyOn(console, 'warn').mockImplementation(() => undefined);
    try {
      planOf().source.onDownload({ message: 'a model comes' } as never);
      expect(warn.mock.calls).toEqual([['[@kp/embedder] a model comes']]);
    } finally {
      warn.mockRestore();
    }
  });

  it('announces a download once', () => {
    const told: string[] = [];
    const { source } = planOf({ onDownload: ({ message }) => void told.push(message) });
    source.onDownload({ message: 'a' } as never);
    source.onDownload({ message: 'b' } as never);
    expect(told).toEqual(['a']);
  });
});

describe('the plan of an embedding', () => {
  it('has the defaults that the documentation names', () => {
    expect(embedPlan({})).toEqual({ longText: 'truncate', maxChunks: 64, batchSize: 32 });
  });
});
