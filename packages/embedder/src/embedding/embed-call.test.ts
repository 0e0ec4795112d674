import { describe, expect, it } from 'bun:test';
import { InvalidTypeError } from '@kp/foundation';
import { assertTexts, copyEmbedding, unitVector } from './embed-call.ts';

describe('assertTexts', () => {
  it('accepts any number of texts', () => {
    expect(() => assertTexts([])).not.toThrow();
    expect(() => assertTexts(['', 'a'])).not.toThrow();
  });

  it.each([
    ['a', 'texts: expected an array of strings, received "a"'],
    [undefined, 'texts: expected an array of strings, received nothing'],
    [[1, 'a'], 'texts[0]: expected a string, received 1'],
    [['a', 'b', null], 'texts[2]: expected a string, received null'],
  ])('rejects %p', (texts, message) => {
    expect(() => assertTexts(texts)).toThrow(InvalidTypeError);
    expect(() => assertTexts(texts)).toThrow(message);
  });
});

describe('copyEmbedding', () => {
  const embedder = { id: 'own', dimensions: 2 };

  it('returns a copy with the fields of an embedding', () => {
    const answer = { vector: Float32Array.of(0, 1), truncated: true, tokens: 3, other: 1 };
    const copy = copyEmbedding(embedder, answer);
    answer.vector.fill(9);
    expect(copy).toEqual({ vector: Float32Array.of(0, 1), truncated: true, tokens: 3 });
  });

  it.each([
    [undefined, 'a Float32Array as vector, received [object Undefined]'],
    [{ vector: [1, 2] }, 'a Float32Array as vector, received [object Array]'],
    [{ vector: new Float64Array(2) }, 'a Float32Array as vector, received [object Float64Array]'],
    [{ vector: new Float32Array(1) }, '2 dimensions, received 1'],
    [{ vector: Float32Array.of(1, Number.NaN) }, 'finite values, received NaN at 1'],
    [{ vector: Float32Array.of(-Infinity, 0) }, 'finite values, received -Infinity at 0'],
  ])('rejects %p', (answer, message) => {
    expect(() => copyEmbedding(embedder, answer)).toThrow(`embedder own: expected ${message}`);
  });
});

describe('unitVector', () => {
  it('returns a new vector of length 1, as float32 or float64', () => {
    const floats = Float32Array.of(3, 0, -4);
    expect(unitVector(floats)).toEqual(Float32Array.of(0.6, 0, -0.8));
    expect(floats).toEqual(Float32Array.of(3, 0, -4));
    expect(unitVector(Float64Array.of(0.5))).toEqual(Float32Array.of(1));
  });

  it('of zeros is zeros', () => {
    expect(unitVector(new Float64Array(3))).toEqual(new Float32Array(3));
  });
});
