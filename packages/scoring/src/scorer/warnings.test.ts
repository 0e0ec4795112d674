import { afterEach, beforeEach, describe, expect, it, mock, spyOn } from 'bun:test';
import { later } from '../../test/stand-in-embedder.ts';
import { createWarnings, type ScorerWarning } from './warnings.ts';

let printed: string[] = [];

beforeEach(() => {
  printed = [];
  spyOn(console, 'warn').mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => mock.restore());

const nextTurn = (): Promise<void> => later(0, () => undefined);

describe('warnings', () => {
  it('are emitted once per code, asynchronously, until the code is cleared', async () => {
    const told: ScorerWarning[] = [];
    const warnings = createWarnings((warning) => told.push(warning));
    const cause = new Error('no disk');
    warnings.warn('MEMORY_FAILED', 'first', cause);
    warnings.warn('MEMORY_FAILED', 'second', cause);
    warnings.warn('OVERLOADED', 'third', undefined);
    expect(told).toEqual([]);
    await nextTurn();
    expect(told).toEqual([
      { code: 'MEMORY_FAILED', message: 'first', cause },
      { code: 'OVERLOADED', message: 'third', cause: undefined },
    ]);
    warnings.clear('OVERLOADED');
    warnings.clear('OVERLOADED');
    warnings.warn('MEMORY_FAILED', 'fourth', cause);
    warnings.warn('OVERLOADED', 'fifth', undefined);
    warnings.clear('MEMORY_FAILED');
    warnings.clear('OVERLOADED');
    warnings.warn('MEMORY_FAILED', 'sixth', cause);
    await nextTurn();
    expect(told.slice(2).map(({ message }) => message)).toEqual(['fifth', 'sixth']);
    expect(printed).toEqual([]);
  });

  it('are printed without a handler', async () => {
    createWarnings().warn('OVERLOADED', 'too much', undefined);
    await nextTurn();
    expect(printed).toEqual(['[@kp/scoring] too much']);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no log');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no log'))],
  ])('are printed with the failure of a handler that %s', async (_, onWarning) => {
    createWarnings(onWarning).warn('OVERLOADED', 'too much', undefined);
    await nextTurn();
    expect(printed).toEqual(['[@kp/scoring] too much', '[@kp/scoring] onWarning failed: no log']);
  });
});
