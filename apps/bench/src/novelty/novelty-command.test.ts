import { describe, expect, it } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const main = join(import.meta.dirname, '..', 'main.ts');

function run(...args: string[]): { exitCode: number; output: string; errors: string } {
  const result = Bun.spawnSync([process.execPath, main, 'novelty', ...args]);
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

  it('says what is wrong with the directory or the model, without a stack trace', async () => {
    const directory = run('no-such-directory');
    expect(directory.exitCode).toBe(1);
    expect(directory.errors).toMatch(/no such file or directory.*no-such-directory/);
    const folder = await mkdtemp(join(tmpdir(), 'novelty-'));
    try {
      const traj = [
        { role: 'user', content: 'fix a parser bug' },
        { role: 'assistant', content: 'Let me see.' },
      ];
      const recording = { task_id: 1, trial: 0, reward: 1, info: {}, traj };
      await writeFile(join(folder, 'runs.json'), JSON.stringify([recording]));
      const model = run(folder, '--transformers', 'some/model', '--models', folder);
      expect(model.exitCode).toBe(1);
      expect(model.errors).toStartWith(
        `${join(folder, 'some/model/config.json')}: expected a file`,
      );
      expect(model.errors).not.toContain('    at ');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('explains itself on standard output', () => {
    const { exitCode, output } = run('--help');
    expect(exitCode).toBe(0);
    expect(output).toStartWith('bench novelty DIR [options]');
  });
});
