import { describe, expect, it } from 'bun:test';
import { runProgram } from '../measurement/processes.ts';
import { check } from './check.ts';
import type { RowId } from './latency-table.ts';
import type { MeasureRows, RowResult } from './measure-rows.ts';
import type { Subjects } from './part-cases.ts';

/** Measures as `bench check` does, with a part that does its work twice. */
function measureSlowed(part: keyof Subjects): MeasureRows {
  return async (ids) => {
    const results: RowResult[] = [];
    for (const id of ids) {
      results.push(JSON.parse(await runProgram('../test/slowed-worker', [id, part])));
    }
    return results;
  };
}

describe('a part that got twice as slow', () => {
  it.each([
    ['complexity', 'complexity'],
    ['toolDiversity', 'tool-diversity'],
    ['outcomeConfidence', 'outcome-confidence'],
    ['compositeScore', 'composite'],
    ['applyOverrides', 'rules'],
    ['parseTrace', 'validation'],
    ['add', 'add'],
    ['maxCosineSimilarity', 'scan'],
    ['evaluate', 'evaluation-none'],
  ] as [keyof Subjects, RowId][])(
    '%s: the row %s is over',
    async (part, id) => {
      const [verdict] = await check([id], measureSlowed(part));
      expect(verdict).toMatchObject({ id, verdict: 'over' });
    },
    60_000,
  );
});
