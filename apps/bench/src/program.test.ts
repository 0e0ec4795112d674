import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder = '';
let results = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-bench-'));
  results = join(folder, 'results.json');
  const words = ['run', 'pure parts/rules', '--milliseconds', '2', '--json', results];
  expect((await bench(words)).exitCode).toBe(0);
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

async function bench(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const main = join(import.meta.dir, 'main.ts');
  const child = Bun.spawn([process.execPath, main, ...words], {
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, output, errors };
}

describe('bench', () => {
  it('run, compare, plot and history hand on one file', async () => {
    // A comparison wants five runs, and each takes seconds.
    const once = await Bun.file(results).json();
    expect(once.runs).toHaveLength(1);
    const file = join(folder, 'five.json');
    await Bun.write(file, JSON.stringify({ ...once, runs: Array(5).fill(once.runs[0]) }));
    const { output } = await bench(['compare', '--all', '--threshold', '100', file, file]);
    expect(output).toMatch(/^pure parts: rules, 5 .* no difference$/m);
    expect(output).toContain('4 no difference; 5 runs before, 5 after');
    expect((await bench(['plot', file, '--out', folder])).exitCode).toBe(0);
    expect(await Bun.file(join(folder, 'growth.svg')).text()).toStartWith('<svg');
    const history = await bench(['history', file, '--by', 'commit', '--out', folder]);
    expect(history.output).toMatch(/^pure parts: rules, 5 +5 /m);
    expect(await Bun.file(join(folder, 'history.svg')).text()).toStartWith('<svg');
  }, 300_000);

  it('check names what it could not measure, and does not count it as within', async () => {
    const nowhere = { KP_SHARED_DIR: folder, KP_MODELS_DIR: folder, KP_DOWNLOAD_MODELS: '' };
    const file = join(folder, 'verdicts.json');
    const { exitCode, output } = await bench(
      ['check', 'evaluation-static', 'first-call-transformers', '--json', file],
      nowhere,
    );
    expect(exitCode).toBe(0);
    expect(output).toContain('NOT MEASURED: evaluation, static embedder: no MinishLab/');
    expect(output).toContain('NOT MEASURED: transformers embedder, first call: no Xenova/');
    expect(output).toContain('0 within, 0 over, 2 not measured');
    expect((await Bun.file(file).json()).verdicts[0].verdict).toBe('not measured');
  }, 300_000);

  it('ends with 2 on wrong use, and says what is expected', async () => {
    expect(await bench(['check', 'speed'])).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('expected one of complexity, '),
    });
    expect((await bench(['novelty'])).exitCode).toBe(2);
    expect(await bench(['compare'])).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('expected --base <revision>, --prove, or two files'),
    });
    expect(await bench(['compare', '--prove', '--trials', '-1'])).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('expected an integer from 0'),
    });
    expect(await bench(['compare', '--base', 'main', '--rows', 'speed'])).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('expected rows of complexity, '),
    });
    expect(await bench(['compare', '--base', 'no-such-revision'])).toMatchObject({
      exitCode: 2,
      output: '',
      errors: expect.stringContaining('received no-such-revision'),
    });
    const missing = await bench(['plot', join(folder, 'none.json')]);
    expect(missing.exitCode).toBe(2);
    expect(missing.errors).toMatch(/^bench: .*none\.json: expected results of bench run --json/m);
  }, 300_000);

  it('run does without recordings, says so, and adds to a file', async () => {
    const file = join(folder, 'added.json');
    await Bun.write(file, await Bun.file(results).text());
    const words = ['run', 'import', '--milliseconds', '1', '--json', file, '--append'];
    const { exitCode, output } = await bench(words, { KP_SHARED_DIR: folder });
    expect(exitCode).toBe(0);
    expect((await Bun.file(file).json()).runs).toHaveLength(2);
    expect(output).toMatch(/^import: a kilobyte of kp /m);
    expect(output).toContain('NOT MEASURED: import/a kilobyte of tau2: no recording');
  }, 300_000);
});
