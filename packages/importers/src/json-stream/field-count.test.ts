import { describe, expect, it } from 'bun:test';
import { hasTooManyFields } from './field-count.ts';
import { readJsonValues } from './read-json-values.ts';

const fields = (count: number, value = '1'): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join(',')}}`;

describe('hasTooManyFields', () => {
  it.each([
    ['an object with one field too many', fields(1_000_001), true],
    ['such an object inside others', `[{"a":${fields(1_000_001)}}]`, true],
    ['the maximum number of fields', fields(1_000_000), false],
    ['an array with more elements', `[${'1,'.repeat(3_000_000)}1]`, false],
    ['arrays in a field', `{"a":[${'1,'.repeat(3_000_000)}1],"b":2}`, false],
    [
      'a text with commas, quotes and backslashes',
      `{"a":"${'\\\\\\",{'.repeat(1_500_000)}"}`,
      false,
    ],
    ['many small objects', `[${'{"a":1,"b":2},'.repeat(600_000)}1]`, false],
    ['a text that does not end', `{"a":"${','.repeat(6_000_000)}`, false],
  ])('detects %s', (_, text, expected) => {
    expect(hasTooManyFields(text)).toBe(expected);
  });

  it('rejects the value before parsing it and reads the next line', async () => {
    const lines = `${fields(1_000_001)}\n{"next":true}\n`;
    const items = await Array.fromAsync(readJsonValues(toChunks(lines)));
    expect(items).toMatchObject([
      { error: { message: expect.stringContaining('objects of at most 1000000 fields') } },
      { value: { next: true }, line: 2 },
    ]);
  });
});

async function* toChunks(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
