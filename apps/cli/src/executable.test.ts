import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { examples } from '../test/run-kp.ts';

let folder = '';
let executable = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-executable-'));
  executable = join(folder, 'kp');
  const command = `${manifest.scripts.compile} --outfile ${executable}`.split(' ').slice(1);
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: join(import.meta.dir, '..'),
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(errors);
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

async function run(...words: string[]) {
  const child = Bun.spawn([executable, ...words], { cwd: folder, stdout: 'pipe', stderr: 'pipe' });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode: await child.exited, output, errors };
}

describe('the single-file executable', () => {
  it('scores with the lexical embedder, away from any installed package', async () => {
    const { exitCode, output } = await run('score', examples);
    expect(exitCode).toBe(0);
    expect(output).toContain('49 traces');
  });

  it('says what is missing when asked for the transformers embedder', async () => {
    const { exitCode, errors } = await run('score', '--embedder', 'transformers', examples);
    expect(exitCode).toBe(2);
    expect(errors).toContain('@huggingface/transformers');
    expect(errors).not.toMatch(/^\s+at /m);
  });
});
