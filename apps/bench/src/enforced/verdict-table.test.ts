import { describe, expect, it } from 'bun:test';
import { renderMarkdown, renderTerminal } from '../results/text-table.ts';
import type { RowVerdict } from './verdict.ts';
import { describeFindings, verdictTable } from './verdict-table.ts';

const verdicts: readonly RowVerdict[] = [
  { id: 'rules', verdict: 'within', value: 83.3, limit: 125, headroom: 1 / 3, attempts: 1 },
  { id: 'scan', verdict: 'over', value: 2e6, limit: 1e6, headroom: -1, attempts: 4 },
  { id: 'evaluation-static', verdict: 'not measured', attempts: 1, reason: 'no model' },
];

describe('verdictTable', () => {
  it('shows every figure with its unit', () => {
    expect(renderTerminal(verdictTable(verdicts))).toBe(
      [
        'part                          documented   measured  limit here  headroom  attempts  verdict',
        'rules                            10.0 µs    83.3 ns      125 ns      33 %         1  within',
        'scan of 1,000 vectors of 384     1.00 ms  2.00 ms *     1.00 ms    -100 %         4  OVER',
        'evaluation, static embedder       100 ms                                          1  NOT MEASURED',
      ].join('\n'),
    );
  });

  it('is a Markdown table as well', () => {
    expect(renderMarkdown(verdictTable(verdicts)).split('\n')[2]).toBe(
      '| rules | 10.0 µs | 83.3 ns | 125 ns | 33 % | 1 | within |',
    );
  });
});

describe('describeFindings', () => {
  it('names what is over and what was not measured, and nothing else', () => {
    const [over, missing, ...rest] = describeFindings(verdicts);
    expect(over).toStartWith(
      'OVER: scan of 1,000 vectors of 384: expected at most 1.00 ms, received 2.00 ms',
    );
    expect(missing).toBe('NOT MEASURED: evaluation, static embedder: no model');
    expect(rest).toEqual([]);
  });
});
