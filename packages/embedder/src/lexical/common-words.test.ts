import { describe, expect, it } from 'bun:test';
import { commonWords } from './common-words.ts';
import { featureOfWord } from './word-hash.ts';

describe('commonWords', () => {
  it('has 300 words with different features and factors between 0.141 and 0.8', () => {
    const factors = [...commonWords().values()];
    expect(factors).toHaveLength(300);
    expect(Math.min(...factors)).toBeGreaterThanOrEqual(0.141);
    expect(Math.max(...factors)).toBeLessThanOrEqual(0.8);
  });

  it('contains only the most common words', () => {
    expect(commonWords().get(featureOfWord('and'))).toBe(0.141);
    expect(commonWords().get(featureOfWord('parser'))).toBeUndefined();
  });
});
