import { describe, expect, it } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLexicalEmbedder } from '@kp/embedder';
import { describeWith, recordingsNeed, sharedFolder } from '@kp/testing/needs';
import { benchNovelty } from './bench-novelty.ts';

const recordings = join(sharedFolder, 'traces', 'openai-chat');

const recording = (task: number, trial: number, ask: string) => ({
  task_id: task,
  trial,
  reward: 1,
  info: {},
  traj: [
    { role: 'user', content: ask },
    { role: 'assistant', content: `Let me see about ${ask}` },
  ],
});

describe('benchNovelty', () => {
  it('measures the recordings of a directory and prints them as a table', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'novelty-'));
    try {
      const runs = [
        recording(1, 0, 'cancel the flight to Boston'),
        recording(1, 1, 'cancel my flight to Boston'),
        recording(2, 0, 'fix a parser bug'),
        recording(2, 1, 'fix the parser bug'),
      ];
      await writeFile(join(directory, 'runs.json'), JSON.stringify(runs));
      await writeFile(join(directory, 'left-out.json'), JSON.stringify(runs));
      await writeFile(join(directory, 'notes.txt'), 'not a recording');
      const printed: string[] = [];
      const rows = await benchNovelty(directory, {
        embedders: [createLexicalEmbedder()],
        exclude: /left-out/,
        print: (text) => printed.push(text),
      });
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({ source: 'openai-chat', runs: 4, tasks: 2, area: 1 });
      expect(printed).toHaveLength(1);
      expect(printed[0]).toContain('| lexical/4/384 | openai-chat | 4/2 | 1.000 |');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('refuses a directory without labelled recordings', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'novelty-'));
    try {
      await expect(benchNovelty(directory, { embedders: [] })).rejects.toThrow(
        'expected recordings with a task_id or instance_id a run, received none',
      );
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describeWith(recordingsNeed, 'benchNovelty on real runs', () => {
  it('tells repeats from first sights', async () => {
    const [row] = await benchNovelty(recordings, {
      embedders: [createLexicalEmbedder()],
      print: () => undefined,
    });
    expect(row?.runs).toBe(100);
    expect(row?.area).toBeGreaterThan(0.97);
    expect(row?.firstSeen).toBeGreaterThan((row?.repeated ?? 1) + 0.15);
  });
});

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
      expect(model.errors).toContain(`${join(folder, 'some/model/config.json')}: expected a file`);
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
