import { describe, expect, it } from 'bun:test';
import { EmbedderLoadError } from '../embedding/errors.ts';
import { fromSentError, sentOptions, toSentError } from './messages.ts';

describe('sentOptions', () => {
  it('omits options that other threads cannot use', () => {
    expect(
      sentOptions({
        worker: true,
        cache: false,
        onDownload: () => undefined,
        onProgress: () => undefined,
        transformers: () => Promise.reject(new Error('not called')),
        retry: { initialDelayMs: 5, maxDelayMs: 6, now: () => 0 },
        model: 'own/model',
        maxTokens: 7,
      }),
    ).toEqual({ model: 'own/model', maxTokens: 7, retry: { initialDelayMs: 5, maxDelayMs: 6 } });
    expect(sentOptions({})).toEqual({ retry: {} });
  });
});

describe('a sent error', () => {
  it('keeps name and message', () => {
    const error = fromSentError(structuredClone(toSentError(new RangeError('too large'))));
    expect([error.name, error.message]).toEqual(['RangeError', 'too large']);
    expect(error).toBeInstanceOf(Error);
  });

  it('keeps all fields of a load error', () => {
    const loadError = new EmbedderLoadError({
      code: 'FILE_MISSING',
      subject: 'm/config.json',
      expected: 'a file of the model',
      received: 'nothing',
      remedy: 'put it there',
    });
    loadError.retryAt = 12;
    const error = fromSentError(structuredClone(toSentError(loadError)));
    expect(error).toBeInstanceOf(EmbedderLoadError);
    expect(error).toEqual(loadError);
    expect(Reflect.get(error, 'retryAt')).toBe(12);
    expect(error.message).toBe(loadError.message);
  });
});
