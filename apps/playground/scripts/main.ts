import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'bun';
import { buildPlayground, type PageFile, writePlayground } from './build.ts';
import { servePlayground } from './serve.ts';

const HELP = `bun run maintain playground [--port NUMBER]   builds the page and serves it on this machine
bun run maintain playground --build FOLDER    writes it into a folder, for any web server

The page and its links work below any address; examples: #example=code, ?embed=1#example=code`;

try {
  const { values } = parseArgs({
    options: {
      build: { type: 'string' },
      port: { type: 'string', default: '0' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) console.log(HELP);
  else await run(values.build, Number(values.port));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}

async function run(folder: string | undefined, port: number): Promise<void> {
  if (!(Number.isInteger(port) && port >= 0 && port < 65_536)) {
    throw new RangeError('--port: expected a number from 0 to 65535');
  }
  const files = await buildPlayground();
  printSizes(files);
  if (folder === undefined) {
    console.log(`${servePlayground(files, port).url.href}  (Ctrl+C stops it)`);
    return;
  }
  await writePlayground(resolve(folder), files);
  console.log(`${files.length} files in ${folder}`);
}

function printSizes(files: readonly PageFile[]): void {
  for (const { path, content } of files) {
    const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(8);
    const packed = gzipSync(content as Uint8Array<ArrayBuffer>).length;
    console.log(`${kilobytes(content.length)} kB ${kilobytes(packed)} kB gzip  ${path}`);
  }
}
