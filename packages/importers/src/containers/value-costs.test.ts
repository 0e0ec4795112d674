import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { createBudget } from './limits.ts';
import { spendText, TextCounter } from './value-costs.ts';

/** A comma, an array and a line cost 1 each; an object costs 25. */
function countByWalk(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children = Object.values(value);
  const own = (Array.isArray(value) ? 1 : 25) + Math.max(0, children.length - 1);
  return children.reduce<number>((sum, child) => sum + countByWalk(child), own);
}

function count(text: string, size: number, hasTexts = true): number {
  const counter = new TextCounter(hasTexts);
  const bytes = new TextEncoder().encode(text);
  let values = 0;
  for (let at = 0; at < bytes.length; at += size) {
    values += counter.count(bytes.subarray(at, at + size));
  }
  return values;
}

describe('TextCounter', () => {
  it('counts parsed values for any chunk sizes and ignores the content of strings', () => {
    expect(count('{"a":[1,2,"x,{[\\",,"],"b":{}}\n', 1000)).toBe(25 + 1 + 2 + 1 + 25 + 1);
    const values = fc.array(fc.jsonValue(), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 9 }), (lines, size) => {
        const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
        const expected = lines.reduce<number>((sum, line) => sum + countByWalk(line) + 1, 0);
        expect(count(text, size)).toBe(expected);
      }),
    );
  });

  it('counts everything after a string that contains a line break, which is invalid JSON', () => {
    expect(count('"a\n",{},{}', 1000)).toBe(1 + 25 + 1 + 25);
  });

  it('counts table cells and their content', () => {
    expect(count('a;b\n"[1,2]"\t{}\n', 1000, false)).toBe(1 + 1 + 1 + 1 + 1 + 25 + 1);
  });
});

describe('spendText', () => {
  it('passes on data until the budget is spent', async () => {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < 3; index++) yield new TextEncoder().encode('{}{}');
    }
    const budget = { ...createBudget(), values: 100 };
    const passed: number[] = [];
    const spending = async (): Promise<void> => {
      for await (const { length } of spendText(chunks(), budget, 'json')) passed.push(length);
    };
    await expect(spending()).rejects.toThrow('at most 4000000 values');
    expect(passed).toEqual([4, 4]);
  });
});
