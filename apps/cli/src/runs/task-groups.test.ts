import { describe, expect, it } from 'bun:test';
import { tauResult } from '../../test/recordings.ts';
import { recordsIn } from '../../test/records.ts';
import { runKp } from '../../test/run-kp.ts';

describe('tasks of two benchmarks with the same numbers', () => {
  it('stay separate in kp select without --group-by', async () => {
    const input = ['# Airline policy', '# Retail policy']
      .flatMap((policy) => [0, 1, 2].map((task) => tauResult(task, 0, policy, 'Done')))
      .join('\n');
    const chosen = async (...words: string[]) => {
      const select = ['select', '-', '--per-group', '1', '--json', ...words];
      return recordsIn((await runKp(select, input)).output).length;
    };
    const audit = await runKp(['audit', '-', '--json'], input);
    expect(JSON.parse(audit.output).tasks).toBe(6);
    expect(await chosen('--group-by', 'name')).toBeLessThanOrEqual(3);
    const compared = await runKp(['audit', '-', '--json', '--group-by', 'name'], input);
    expect(JSON.parse(compared.output).tasks).toBe(3);
  });
});
