import { describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { createTransformersEmbedder } from './create-transformers-embedder.ts';
import { defaultEmbedder } from './default-embedder.ts';
import type { ClosableEmbedder } from './embedding/embedder.ts';

const folder = useFolder('embedder-');

describe('defaultEmbedder', () => {
  it('is the transformers embedder if the peer dependency is installed', () => {
    const { id, dimensions } = createTransformersEmbedder();
    expect(defaultEmbedder()).toMatchObject({ id, dimensions });
  });

  it('reads only the folder in the environment variable', async () => {
    process.env.KP_MODELS_DIR = '/no/models/here';
    try {
      await using embedder = defaultEmbedder() as ClosableEmbedder;
      await expect(embedder.embed(['a'])).rejects.toMatchObject({
        code: 'FILE_MISSING',
        subject: '/no/models/here/Xenova/all-MiniLM-L6-v2/config.json',
      });
    } finally {
      delete process.env.KP_MODELS_DIR;
    }
  });

  it('rejects calls after close, even if it was never used', async () => {
    const embedder = defaultEmbedder() as ClosableEmbedder;
    await embedder.close();
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'EMBEDDER_CLOSED' });
  });

  it('is null without the peer dependency, and the transformers embedder names the package to install', async () => {
    await Bun.build({
      entrypoints: [join(import.meta.dirname, 'index.ts')],
      external: ['@huggingface/*'],
      target: 'node',
      outdir: folder,
    });
    const program = `
        import { createTransformersEmbedder, defaultEmbedder } from ${JSON.stringify(join(folder, 'index.js'))};
        console.log(defaultEmbedder());
        await createTransformersEmbedder().ready().catch((e) => console.log(e.code, e.message));
      `;
    const result = Bun.spawnSync([process.execPath, '--install=disable', '-e', program], {
      cwd: folder,
    });
    expect(result.stdout.toString()).toStartWith('null\nDEPENDENCY_MISSING @huggingface/transf');
    expect(result.stdout.toString()).toContain(
      'npm install @huggingface/transformers, or use the lexical or the static embedder',
    );
  });
});
