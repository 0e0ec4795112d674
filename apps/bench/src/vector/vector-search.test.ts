import { describe, expect, it } from 'bun:test';
import { compareVectorSearch, type VectorSearchRow } from './compare-vector-search.ts';
import { formatVectorSearch, vectorSearchClaims } from './vector-search-claims.ts';

function row(contender: string, microseconds: number): VectorSearchRow {
  return {
    runtime: 'Bun 1',
    data: 'random',
    queries: 'near-duplicate',
    vectors: 1000,
    dimensions: 384,
    contender,
    microseconds,
    leastMicroseconds: microseconds,
    timesNative: null,
    isExact: true,
  };
}

describe('compareVectorSearch', () => {
  it('finds every contender exact on a small set and names each set once', async () => {
    const rows = await compareVectorSearch({
      sizes: [200],
      kinds: ['random', 'alike'],
      millisecondsEach: 5,
    });
    expect(rows.filter((each) => !each.isExact)).toEqual([]);
    expect(rows.filter((each) => each.contender === 'engine')).toHaveLength(4);
    expect(rows.every((each) => each.microseconds > 0)).toBe(true);
    expect(formatVectorSearch(rows)).toContain('random, near-duplicate queries (384 dimensions)');
  }, 300_000);
});

describe('vectorSearchClaims', () => {
  it('compares ratios with their limits and leaves out what it cannot tell', () => {
    const rows = [row('engine', 2), row('naive JS', 100), row('usearch exact', 40)];
    expect(vectorSearchClaims(rows)).toEqual([
      {
        claim: 'random, near-duplicate: best native peer / engine',
        vectors: 1000,
        bound: 'at least',
        limit: 15,
        measured: 20,
        holds: true,
      },
      {
        claim: 'random, near-duplicate: naive JS / engine',
        vectors: 1000,
        bound: 'at least',
        limit: 60,
        measured: 50,
        holds: false,
      },
    ]);
  });
});
