import { describe, expect, it } from 'bun:test';
import { toJson } from './to-json.ts';

describe('toJson', () => {
  it('converts up to 500,000 values, including the outermost', () => {
    const values = [...Array<null>(499_997).fill(null), {}, {}];
    expect((toJson(values) as unknown[]).slice(-2)).toEqual([{}, '[too many values]']);
  });

  it('converts an array up to that length, and describes the length of a longer one', () => {
    expect(toJson(new Array(500_000))).toHaveLength(500_000);
    expect(toJson(new Array(500_001))).toBe('[500001 values]');
  });

  it('converts 512 levels', () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(JSON.stringify(toJson(nested(512)))).toBe('['.repeat(512) + ']'.repeat(512));
    const cut = `${'['.repeat(512)}"[nested too deep]"${']'.repeat(512)}`;
    expect(JSON.stringify(toJson(nested(513)))).toBe(cut);
  });
});
