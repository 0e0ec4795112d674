import { describe, expect, it } from 'bun:test';
import { useFolder } from '@kp/testing/folder';
import { runKp } from '../../test/run-kp.ts';
import { traceLine } from '../../test/traces.ts';

const folder = useFolder('kp-share-masking-');

/** A trace that may be shared, with a text in its first step. */
function shared(id: string, content: string, more: object = {}): string {
  const trace = JSON.parse(traceLine(id));
  Object.assign(trace.metadata, { visibility: 'network', privacy_level: 'aggregated' });
  trace.steps[0].content = content;
  return JSON.stringify({ ...trace, ...more });
}

const linesOf = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('kp share, if masked words belong to the format', () => {
  it('writes valid traces, and the same number as --json announces', async () => {
    const runs = ['trace', 'content', 'steps', 'metadata'].map((name) =>
      shared(name, `cd /home/${name}/src`),
    );
    const words = ['share', '-', '--threshold', '0'];
    const { exitCode, output } = await runKp(words, runs.join('\n'));
    expect(exitCode).toBe(0);
    const traces = linesOf(output);
    expect(traces.map(({ steps }) => steps[0].content)).toEqual(
      runs.map(() => 'cd /home/[user-name-in-path-1]/src'),
    );
    expect((await runKp(['validate', '-'], output)).exitCode).toBe(0);
    const announced = linesOf((await runKp([...words, '--json'], runs.join('\n'))).output);
    expect(announced.map(({ share }) => share)).toEqual(runs.map(() => 'yes'));
  });

  it('omits only the runs that a rule makes invalid, and says why', async () => {
    const rules = `${folder}/rules.json`;
    await Bun.write(rules, '{"patterns":[{"kind":"year","pattern":"1999-\\\\d\\\\d"}]}');
    const old = JSON.parse(shared('old', 'x'));
    old.metadata.created_at = '1999-01-15T10:00:00Z';
    const runs = `${JSON.stringify(old)}\n${shared('new', 'y')}\n`;
    const words = ['share', '-', '--threshold', '0', '--rules', rules];
    const { exitCode, output, errors } = await runKp(words, runs);
    expect(exitCode).toBe(3);
    expect(linesOf(output).map(({ id }) => id)).toEqual(['kp:trace:new']);
    expect(errors).toContain('expected a valid trace after masking');
    expect(errors).toContain('why not: 1 SCAN_FAILED');
    const announced = linesOf((await runKp([...words, '--json', '--review'], runs)).output);
    expect(announced.map(({ share }) => share)).toEqual(['no', 'yes']);
    expect(announced[0].findings[0]).toMatchObject({
      kind: 'year',
      excerpt: '[year-1]-15T10:00:00Z',
    });
  });
});
