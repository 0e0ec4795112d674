import { describe, expect, it } from 'bun:test';
import { traceOf } from '../../test/traces.ts';
import { outcomeFeatures } from './outcome-features.ts';

const sh = (command: string): object => ({
  type: 'tool_call',
  tool: { name: 'bash' },
  input: { command },
});
const result = (content: string, error?: string): object => ({
  type: 'observation',
  content,
  'kp:source': { error },
});

describe('outcomeFeatures', () => {
  it('match values calculated by hand', () => {
    const steps = [
      { content: 'aaa' },
      sh('ls'),
      result('a file'),
      sh('ls'),
      result('a file'),
      { type: 'tool_call', tool: { name: 'get' }, input: {} },
      result('no', 'flag'),
      { type: 'error_recovery', content: 'I am sorry, it is impossible to do.' },
    ];
    const features = outcomeFeatures(traceOf('Do it', steps), 0.25);
    expect(features).toEqual({
      steps: Math.log(9),
      calls: 3 / 8,
      failingResults: 1 / 3,
      unresolvedErrors: Math.log(2),
      repeatedCalls: 1 / 3,
      repeatedResults: 1 / 3,
      loops: 0,
      recoveries: Math.log(2),
      callsAfterLastChange: 0,
      toolEntropy: expect.closeTo(Math.log2(3) - 2 / 3, 12),
      thoughtLength: Math.log(1 + (3 + 35) / 2),
      answerLength: Math.log(36),
      apology: 1,
      endsWithCall: 0,
      endsWithThought: 1,
      changeCheckCycles: 0,
      lastCheckPassed: 0,
      agreement: 0.25,
    });
  });

  it('are finite for a run without steps', () => {
    const features = Object.values(outcomeFeatures(traceOf('Do it')));
    expect(features.every(Number.isFinite)).toBe(true);
  });

  it.each([
    [[sh('pytest'), result('2 passed')], 0, 1],
    [[sh('rm a'), sh('pytest'), result('2 passed')], 1, 1],
    [[sh('rm a'), sh('npm test'), result('1 failed, 2 passed')], 1, -1],
    [[sh('rm a'), sh('pytest'), result('0 failed'), sh('pytest'), result('x', 'exit_code')], 1, -1],
    [[sh('rm a'), sh('pytest'), result('ok'), sh('rm b'), sh('go test ./...')], 2, -1],
    [[sh('rm a'), sh('ls')], 0, 0],
  ])('count tested changes: %#', (steps, cycles, passed) => {
    const features = outcomeFeatures(traceOf('Do it', steps));
    expect(features.changeCheckCycles).toBe(Math.log1p(cycles));
    expect(features.lastCheckPassed).toBe(passed);
  });
});
