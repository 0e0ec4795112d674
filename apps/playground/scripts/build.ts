import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PAGE_STYLE } from '@kp/report';
import { EXAMPLES } from '../src/examples.ts';

/** A file of the page. */
export interface PageFile {
  /** Path in the page's folder. */
  readonly path: string;
  readonly content: Uint8Array;
}

const source = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const recordings = fileURLToPath(new URL('../../../examples/traces', import.meta.url));

/** Packages excluded from the page: browsers cannot use them. */
const LEFT_OUT = ['@huggingface/transformers', '@secretlint/*', 'protobufjs', 'node:*'];

/** Builds the page: a folder of files that any web server can serve at any address. */
export async function buildPlayground(): Promise<PageFile[]> {
  const app = [
    await bundle('src/main.tsx'),
    // Includes all libraries, because a drop must cause no request, not even for our own files.
    await bundle('src/worker/worker.ts'),
    { path: 'style.css', content: await styleSheet() },
  ];
  const folder = `app-${versionOf(app)}`;
  const html = (await Bun.file(source('index.html')).text()).replaceAll('{app}', folder);
  const files = [
    { path: 'index.html', content: new TextEncoder().encode(html) },
    ...app.map(({ path, content }) => ({ path: `${folder}/${path}`, content })),
    ...(await exampleFiles()),
  ];
  const define = {
    PAGE_FILES: JSON.stringify(['./', ...files.map(({ path }) => path)]),
    PAGE_VERSION: JSON.stringify(versionOf(files)),
  };
  return [...files, await bundle('src/offline.ts', define)];
}

/** Writes the page into a folder, which must be empty or contain an earlier page. */
export async function writePlayground(folder: string, files: readonly PageFile[]): Promise<void> {
  const found: readonly string[] = await readdir(folder).catch(() => []);
  if (found.length > 0 && !found.includes('offline.js')) {
    throw new Error(
      `${folder}: expected an empty folder or a page that was built before, received ${found.slice(0, 3).join(', ')}`,
    );
  }
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const { path, content } of files) await Bun.write(join(folder, path), content);
}

async function bundle(
  entry: string,
  define: Readonly<Record<string, string>> = {},
): Promise<PageFile> {
  const { outputs } = await Bun.build({
    entrypoints: [source(entry)],
    target: 'browser',
    format: 'esm',
    minify: true,
    external: LEFT_OUT,
    jsx: { runtime: 'automatic', importSource: 'preact' },
    define: { ...define, 'process.env.NODE_ENV': '"production"' },
  });
  const [output, ...others] = outputs;
  if (output === undefined || others.length > 0) {
    throw new Error(`${entry}: expected one file, received ${outputs.length}`);
  }
  const path = basename(entry).replace(/\.tsx?$/, '.js');
  return { path, content: new Uint8Array(await output.arrayBuffer()) };
}

async function styleSheet(): Promise<Uint8Array> {
  const { outputs } = await Bun.build({ entrypoints: [source('src/style.css')], minify: true });
  return new TextEncoder().encode(PAGE_STYLE + ((await outputs[0]?.text()) ?? ''));
}

function exampleFiles(): Promise<PageFile[]> {
  const names = [...new Set(EXAMPLES.flatMap(({ files }) => files))];
  return Promise.all(
    names.map(async (name) => ({
      path: `examples/${name}`,
      content: await Bun.file(join(recordings, name)).bytes(),
    })),
  );
}

function versionOf(files: readonly PageFile[]): string {
  const hash = createHash('sha256');
  for (const { path, content } of files) hash.update(path).update(content);
  return hash.digest('hex').slice(0, 10);
}
