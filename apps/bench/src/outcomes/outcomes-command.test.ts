import { describe, expect, it } from 'bun:test';
import { runBench } from '../../test/run-bench.ts';

describe('bench outcomes', () => {
  it('requires corpora', async () => {
    const { exitCode, errors } = await runBench(['outcomes']);
    expect(exitCode).toBe(2);
    expect(errors).toContain('CORPORA: expected at least one corpus, received none');
  }, 60_000);
});
