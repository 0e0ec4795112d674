import { afterEach, describe, expect, it } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reachedChunks } from './published-packages.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kp-chunks-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) await Bun.write(join(folder, path), text);
  return folder;
}

describe('reachedChunks', () => {
  it('follows exports, commands, imports and worker files, but nothing else', async () => {
    const folder = await folderOf({
      'dist/index.js': 'import { a } from "./a-1.js";\nexport * from \'./nested/b-2.js\';',
      'dist/a-1.js': 'import "./side-effect.js";\nconst c = () => import("./c-3.js");',
      'dist/nested/b-2.js': 'import zod from "zod";\nimport { a } from "../a-1.js";',
      'dist/c-3.js': 'new Worker(new URL("./worker.js", import.meta.url));',
      'dist/worker.js': 'export {};',
      'dist/side-effect.js': '',
      'dist/main.js': '',
      'dist/sub/entry.js': '',
      'dist/old-4.js': 'import "./a-1.js";',
    });
    const reached = await reachedChunks(folder, {
      main: './dist/index.js',
      bin: { kp: './dist/main.js' },
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './sub': { import: { types: './dist/sub/entry.d.ts', default: './dist/sub/entry.js' } },
        './package.json': './package.json',
      },
    });
    expect([...reached].sort()).toEqual([
      ...['dist/a-1.js', 'dist/c-3.js', 'dist/index.js', 'dist/main.js', 'dist/nested/b-2.js'],
      ...['dist/side-effect.js', 'dist/sub/entry.js', 'dist/worker.js'],
    ]);
  });

  it('rejects an export whose file is missing', async () => {
    const folder = await folderOf({ 'dist/index.js': 'import "./gone.js";' });
    await expect(reachedChunks(folder, { main: 'dist/index.js' })).rejects.toThrow('gone.js');
  });
});
