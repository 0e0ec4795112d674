import { describe, expect, it } from 'bun:test';
import { codeOf, KnowledgePulseError } from '@kp/foundation';
import { runKp } from '../../test/run-kp.ts';
import { conflict, refused, wrongUse } from './errors.ts';
import { EXIT, exitStatus, worstStatus } from './exit.ts';

describe('the exit status', () => {
  const nothing = { no: false, missing: false, problems: 0, interrupted: false };

  it('is of several findings the one to act on first', () => {
    expect(exitStatus(nothing)).toBe(0);
    expect(exitStatus({ ...nothing, problems: 2 })).toBe(3);
    expect(exitStatus({ ...nothing, problems: 2, no: true })).toBe(1);
    expect(exitStatus({ ...nothing, no: true, missing: true })).toBe(2);
    expect(exitStatus({ no: true, missing: true, problems: 1, interrupted: true })).toBe(130);
    expect(worstStatus([EXIT.done, EXIT.problems, EXIT.no])).toBe(1);
    expect(worstStatus([])).toBe(0);
  });

  it('is in the help, all of it in that of kp, in a line in that of each command', async () => {
    const { output } = await runKp(['--help']);
    const table = output.slice(output.indexOf('Exit status of every command:'));
    const listed = table.match(/^ {2}\d+/gm)?.map(Number);
    expect(listed).toEqual(Object.values(EXIT));
    const commands = [...output.matchAll(/^ {2}([a-z]+) .*\[options\]/gm)].map(
      ([, name]) => `${name}`,
    );
    expect(commands.length).toBeGreaterThan(10);
    for (const command of ['score', 'select', 'watch', 'fit']) {
      const help = await runKp([command, '--help']);
      expect(help).toMatchObject({ exitCode: 0, errors: '' });
      expect(help.output).toContain('Exit status: 0 done, 1 the answer is no, 2 wrong use');
    }
  });
});

describe('errors of wrong use', () => {
  it('have the fields of every KnowledgePulse error', () => {
    const error = wrongUse('--pass-at', 'a number over 0', '0', 'give a grade');
    expect(error).toBeInstanceOf(KnowledgePulseError);
    expect(error).toMatchObject({ name: 'UsageError', code: 'WRONG_USE', subject: '--pass-at' });
    expect(error.message).toBe('--pass-at: expected a number over 0, received 0; give a grade');
  });

  it('name the two options that exclude each other', () => {
    expect(conflict('--top', '--compare').message).toBe('--top cannot be combined with --compare');
  });

  it('keep the error that led to them', () => {
    const cause = wrongUse('weights', 'a sum of 1', '2');
    const error = refused('--profiles', cause, 'see kp fit');
    expect(error.message).toBe('--profiles: weights: expected a sum of 1, received 2; see kp fit');
    expect(error).toMatchObject({ expected: 'a sum of 1', received: '2', cause });
    expect(codeOf(refused('x', new Error('no')))).toBe('WRONG_USE');
  });
});
