import { describe, expect, it } from 'bun:test';
import { join } from 'node:path';

const main = join(import.meta.dirname, 'main.ts');

function run(...args: string[]): { exitCode: number; output: string; errors: string } {
  const result = Bun.spawnSync([process.execPath, '--conditions=@kp/source', main, ...args]);
  return {
    exitCode: result.exitCode,
    output: result.stdout.toString(),
    errors: result.stderr.toString(),
  };
}

describe('bench novelty', () => {
  it.each([
    [[], 'DIR: expected one directory, received 0'],
    [['a', 'b'], 'DIR: expected one directory, received 2'],
    [['a', '--orders', '0'], '--orders: expected an integer of at least 1, received 0'],
    [['a', '--nonsense'], "Unknown option '--nonsense'"],
    [['a', '--exclude', '('], 'Invalid regular expression'],
  ])('answers %j with the usage and exit code 2', (args, message) => {
    const { exitCode, output, errors } = run(...args);
    expect(exitCode).toBe(2);
    expect(output).toBe('');
    expect(errors).toContain(message);
    expect(errors).toContain('bench novelty DIR [options]');
  });
});
