import { describe, expect, it } from 'bun:test';
import type { BenchmarkResult } from '../results/results-file.ts';
import { plotDistributions, plotGrowth } from './plots.ts';

const benchmarks: readonly BenchmarkResult[] = [100, 1000, 10_000].map((size) => ({
  group: 'cache',
  name: 'scan',
  size,
  reference: 1,
  quantiles: [size, size * 2, size * 4],
}));

describe('plotGrowth', () => {
  it('draws a point a size and names what the size counts', async () => {
    const svg = await plotGrowth(benchmarks);
    expect(svg).toStartWith('<svg');
    expect(svg.match(/aria-roledescription="point"/g)).toHaveLength(3);
    expect(svg).toContain('vectors</text>');
  });
});

describe('plotDistributions', () => {
  it('draws one bar a benchmark, of its smallest size', async () => {
    const svg = await plotDistributions(benchmarks);
    expect(svg).toContain('scan (100)</text>');
    expect(svg.match(/aria-roledescription="bar"/g)).toHaveLength(1);
    expect(svg).not.toContain('scan (1,000)');
  });
});
