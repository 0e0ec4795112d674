import { describe, expect, it } from 'bun:test';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultEmbedder } from './default-embedder.ts';

describe('defaultEmbedder', () => {
  it('is the transformers embedder where the peer is installed', () => {
    expect(defaultEmbedder()).toMatchObject({
      id: 'transformers/Xenova/all-MiniLM-L6-v2@main/q8/mean',
      dimensions: 384,
    });
  });

  it('is null, and the transformers embedder says what to install, where the peer is not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'embedder-'));
    try {
      await cp(import.meta.dirname, folder, { recursive: true });
      const program = `
        import { createTransformersEmbedder, defaultEmbedder } from ${JSON.stringify(join(folder, 'index.ts'))};
        console.log(defaultEmbedder());
        await createTransformersEmbedder().ready().catch((e) => console.log(e.code, e.message));
      `;
      const result = Bun.spawnSync([process.execPath, '--install=disable', '-e', program], {
        cwd: folder,
      });
      expect(result.stdout.toString()).toStartWith('null\nDEPENDENCY_MISSING @huggingface/transf');
      expect(result.stdout.toString()).toContain('bun add @huggingface/transformers');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
