import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKp } from '../test/run-kp.ts';
import { traceLine } from '../test/traces.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-memory-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('kp score --memory', () => {
  const words = (file: string, ...more: string[]) => [
    'score',
    '--json',
    '--memory',
    join(folder, file),
    ...more,
    '-',
  ];
  const noveltyOf = (output: string) => JSON.parse(output.split('\n')[0] ?? '').novelty;

  it('remembers from run to run, and leaves no other file', async () => {
    const first = await runKp(words('seen'), traceLine('a'));
    expect(noveltyOf(first.output).source).toBe('empty_memory');
    expect(first.errors).toContain('1 of at most 1,000 traces remembered in');
    const second = await runKp(words('seen'), traceLine('b'));
    expect(noveltyOf(second.output).nearest).toEqual({ key: 'kp:trace:a', similarity: 1 });
    expect(await readdir(folder)).toEqual(['seen']);
  });

  it('remembers no more than --memory-size, the newest', async () => {
    const input = [traceLine('a', 'one'), traceLine('b', 'two'), traceLine('c', 'three')].join(
      '\n',
    );
    await runKp(words('small', '--memory-size', '2'), input);
    const { output } = await runKp(words('small'), traceLine('d', 'two'));
    expect(noveltyOf(output)).toMatchObject({ comparedWith: 2, nearest: { key: 'kp:trace:b' } });
  });

  it('refuses a damaged file and leaves it as it is', async () => {
    await Bun.write(join(folder, 'damaged'), 'not a memory');
    const { exitCode, output, errors } = await runKp(words('damaged'), traceLine('a'));
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' });
    expect(errors).toContain('it was left as it is');
    expect(await Bun.file(join(folder, 'damaged')).text()).toBe('not a memory');
  });

  it('refuses to remember without an embedder, and where nothing can be written', async () => {
    const none = await runKp(words('x', '--embedder', 'none'), traceLine('a'));
    expect(none.exitCode).toBe(2);
    expect(none.errors).toContain('--memory: expected an embedder to remember with');
    const nowhere = await runKp(words('no-folder/x'), traceLine('a'));
    expect(nowhere.exitCode).toBe(2);
    expect(nowhere.output).toBe('');
    expect(nowhere.errors).toContain('to write it in, received none of that name');
  });
});
