import { describe, expect, it } from 'bun:test';
import {
  damagedError,
  EmbedderClosedError,
  EmbedderLoadError,
  invalidType,
  invalidValue,
  messageOf,
} from './errors.ts';

describe('an error of a load', () => {
  it('says what was expected, what was there and the way out, and names its cause', () => {
    const cause = new Error('end of file');
    const error = damagedError('Delete it.', 'model.onnx', 'a model', '3 bytes', cause);
    expect(error).toBeInstanceOf(EmbedderLoadError);
    expect(error).toMatchObject({
      name: 'EmbedderLoadError',
      code: 'FILE_DAMAGED',
      message: 'model.onnx: expected a model, received 3 bytes. Delete it.',
      subject: 'model.onnx',
      expected: 'a model',
      received: '3 bytes',
      remedy: 'Delete it.',
      cause,
    });
    expect(error.retryAt).toBeUndefined();
  });

  it('has no cause where nothing was thrown', () => {
    const error = damagedError('Delete it.', 'model.onnx', 'a model', '3 bytes');
    expect(error.cause).toBeUndefined();
  });
});

it('an embedder that is closed says which it is', () => {
  expect(new EmbedderClosedError('mine')).toMatchObject({
    name: 'EmbedderClosedError',
    code: 'EMBEDDER_CLOSED',
    message: 'mine: expected an open embedder, received a closed one. Create a new embedder.',
  });
});

describe('an argument that is refused', () => {
  it.each([
    [null, 'null'],
    [undefined, 'undefined'],
    [[1], 'an array'],
    [{}, 'object'],
    ['a', 'string'],
    [5, 'number'],
  ])('is described by its type: %p is %s', (value, received) => {
    expect(invalidType('texts', 'texts', value)).toMatchObject({
      code: 'INVALID_TYPE',
      message: `texts: expected texts, received ${received}`,
      received,
    });
  });

  it('is shown as it is where it is out of range', () => {
    const error = invalidValue('dimensions', 'at least 1', Number.NaN);
    expect(error).toBeInstanceOf(RangeError);
    expect(error).toMatchObject({
      code: 'INVALID_VALUE',
      message: 'dimensions: expected at least 1, received NaN',
    });
  });
});

it('whatever was thrown has a message', () => {
  expect(messageOf(new Error('x'.repeat(1000)))).toBe('x'.repeat(1000));
  expect(messageOf(new Error('x'.repeat(1001)))).toBe(`${'x'.repeat(1000)}…`);
  expect([messageOf(new Error('no')), messageOf('no'), messageOf(undefined)]).toEqual([
    'no',
    'no',
    'undefined',
  ]);
});
