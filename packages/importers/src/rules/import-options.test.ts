import { describe, expect, it } from 'bun:test';
import { checkImportOptions, type ImportOptions } from './import-options.ts';

describe('the options of an import', () => {
  const checked = (options: unknown) => () => checkImportOptions(options as ImportOptions);

  it.each([
    {},
    { confidence: 0 },
    { confidence: 1 },
    { passAt: 1 },
    { passAt: 1e-9 },
    { labels: new Map([['a', { confidence: 1 }]]) },
    { labels: new Map([['a', { success: true }]]) },
    { labels: { confidence: 7 } },
  ])('accept %p', (options) => {
    expect(checked(options)).not.toThrow();
  });

  it.each([
    [{ confidence: 1.01 }, 'confidence: expected a number from 0 to 1, received 1.01'],
    [{ confidence: -0.01 }, 'confidence: expected a number from 0 to 1, received -0.01'],
    [{ confidence: Number.NaN }, 'confidence: expected a number from 0 to 1, received NaN'],
    [{ confidence: '1' }, 'confidence: expected a number, received "1"'],
    [{ assumeSucess: true }, 'received "assumeSucess"; did you mean assumeSuccess?'],
    [{ passAt: 0 }, 'passAt: expected a number above 0, received 0'],
    [{ shellTools: 'each' }, 'shellTools: expected one or by_command, received "each"'],
    [{ turns: 1 }, 'turns: expected all or last, received 1'],
    [{ passAt: 1.01 }, 'passAt: expected a number from 0 to 1, received 1.01'],
    [
      { labels: new Map([['t/3', { confidence: 2 }]]) },
      'labels: confidence of t/3: expected a number from 0 to 1, received 2',
    ],
  ])('reject %p', (options, message) => {
    expect(checked(options)).toThrow(message);
  });
});
