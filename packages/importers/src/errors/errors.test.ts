import { describe, expect, it } from 'bun:test';
import {
  DamagedArchiveError,
  describeProblem,
  LabelsError,
  NoAgentError,
  RecordingError,
} from './errors.ts';

describe('describeProblem', () => {
  it('names the place, the expected and received values, and a remedy', () => {
    expect(describeProblem('INVALID_JSON', { line: 2 }, 'a', 'b')).toStrictEqual({
      code: 'INVALID_JSON',
      message: 'line 2: expected a, received b',
      line: 2,
      expected: 'a',
      received: 'b',
    });
    expect(describeProblem('INVALID_JSON', { line: 2, column: 3 }, 'a', 'b', 'c')).toStrictEqual({
      code: 'INVALID_JSON',
      message: 'line 2, column 3: expected a, received b; c',
      line: 2,
      column: 3,
      expected: 'a',
      received: 'b',
    });
  });
});

describe('errors of an import', () => {
  it('quote at most 300 characters of labels', () => {
    const whole = 'x'.repeat(300);
    for (const [text, quoted] of [
      [whole, whole],
      [`${whole}y`, `${whole}…`],
    ] as const) {
      const error = new LabelsError(text, text, text);
      expect(error).toMatchObject({ expected: quoted, received: quoted });
      expect(error.message).toStartWith(`${quoted}: expected ${quoted}, received `);
    }
  });

  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    ['', 'an empty text'],
    ['x'.repeat(24), `"${'x'.repeat(24)}"`],
    ['x'.repeat(25), `"${'x'.repeat(24)}…"`],
    ['a\n b', '"a b"'],
    [1, '1'],
    [false, 'false'],
    [[], 'an array of 0 values'],
    [[1, 2], 'an array of 2 values'],
    [{}, 'an empty object'],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, 'an object with the keys a, b, c, d, e, f'],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 }, 'an object with the keys a, b, c, d, e, f, …'],
    [{ ['x'.repeat(25)]: 1 }, `an object with the keys ${'x'.repeat(24)}…`],
  ])('describe %j as %s', (received, description) => {
    const error = new RecordingError('a.b', 'a c', received as never, 3);
    expect(error).toMatchObject({
      name: 'RecordingError',
      code: 'INVALID_RECORDING',
      message: `a.b: expected a c, received ${description}`,
      path: 'a.b',
      piece: 3,
    });
  });

  it('name the spans without an agent and whether data is complete', () => {
    expect(new NoAgentError('trace 1', 'an agent', ['a', 'b'])).toMatchObject({
      name: 'NoAgentError',
      code: 'NO_AGENT',
      message: 'trace 1: expected an agent, received "a, b"',
      spans: ['a', 'b'],
      piece: undefined,
    });
    expect(new DamagedArchiveError('a', 'b')).toMatchObject({
      name: 'DamagedArchiveError',
      code: 'DAMAGED_ARCHIVE',
      message: 'input: expected a, received b',
      isComplete: false,
    });
    expect(new DamagedArchiveError('a', 'b', undefined, true).isComplete).toBe(true);
  });
});
