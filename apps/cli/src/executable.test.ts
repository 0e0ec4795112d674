import { describe, expect, it } from 'bun:test';
import { useFolder } from '@kp/testing/folder';
import { command, examples } from '../test/run-kp.ts';

const folder = useFolder('kp-executable-');

async function run(...words: string[]) {
  const child = Bun.spawn([...command, ...words], { cwd: folder, stdout: 'pipe', stderr: 'pipe' });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode: await child.exited, output, errors };
}

describe('the single-file executable', () => {
  it('scores with the lexical embedder without installed packages', async () => {
    const { exitCode, output } = await run('score', examples);
    expect(exitCode).toBe(0);
    expect(output).toContain('49 runs');
  });

  it('reports the missing package for the transformers embedder', async () => {
    const { exitCode, errors } = await run('score', '--embedder', 'transformers', examples);
    expect(exitCode).toBe(2);
    expect(errors).toContain('@huggingface/transformers');
    expect(errors).not.toMatch(/^\s+at /m);
  });
});
