import { describe, expect, it } from 'bun:test';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { useFolder } from '@kp/testing/folder';

const folder = useFolder('compile-');

const sources = resolve(import.meta.dirname, '..', 'src');

describe('bun build', () => {
  it('--compile creates an executable with the lexical and static embedders', async () => {
    const program = join(folder, 'program.ts');
    await writeFile(
      program,
      `import { createLexicalEmbedder } from ${JSON.stringify(join(sources, 'index.ts'))};
         import { createStaticEmbedder } from ${JSON.stringify(join(sources, 'index.ts'))};
         import { safetensorsFile, wordTokenizer } from ${JSON.stringify(join(import.meta.dirname, 'safetensors-file.ts'))};
         const embeddings = { dtype: 'F32', shape: [2, 2], data: Float32Array.of(1, 1, 3, 4) };
         const files = { model: safetensorsFile({ embeddings }), tokenizer: wordTokenizer(['?', 'north']) };
         const [lexical] = await createLexicalEmbedder().embed(['north']);
         const [fixed] = await createStaticEmbedder({ files }).embed(['north']);
         console.log(lexical.vector.length, fixed.vector[1].toFixed(1));`,
    );
    const outfile = join(folder, 'program');
    const build = Bun.spawnSync([
      process.execPath,
      'build',
      '--compile',
      program,
      '--outfile',
      outfile,
    ]);
    expect(build.exitCode).toBe(0);
    expect(Bun.spawnSync([outfile], { cwd: '/' }).stdout.toString()).toBe('384 0.8\n');
  });

  it('bundles the lexical embedder for browsers without Node modules and libraries', async () => {
    const program = join(folder, 'page.ts');
    const index = JSON.stringify(join(sources, 'lexical', 'create-lexical-embedder.ts'));
    await writeFile(program, `export { createLexicalEmbedder } from ${index};`);
    const build = Bun.spawnSync([
      ...[process.execPath, 'build', '--target=browser', '--minify', program],
      ...['--outdir', join(folder, 'out')],
    ]);
    expect(build.exitCode).toBe(0);
    const bundle = await readFile(join(folder, 'out', 'page.js'), 'utf8');
    expect(bundle).not.toMatch(/node:|huggingface|onnx/);
    // The list of common words takes 3,000 of these bytes, the kernel 2,500.
    expect(bundle.length).toBeLessThan(15_200);
  });
});
