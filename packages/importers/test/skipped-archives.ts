import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { recordedTexts } from './fuzz-corpus.ts';
import { writeZip } from './zip.ts';

/** Archives in which readers skip most files: images, sources, folders and nested archives. */
export async function skippedArchives(): Promise<Uint8Array[]> {
  const files = skippedFiles();
  const tar = await tarOf(files);
  const zip = writeZip(files);
  return [
    zip,
    writeZip(files, { stored: true }),
    writeZip(files, { descriptor: true }),
    writeZip(files, { zstd: true }),
    writeZip(await inspectFiles()),
    writeZip(Object.fromEntries(MANY.map((i) => [`${i}/`, '']))),
    writeZip(Object.fromEntries(MANY.map((i) => [`${i}.png`, '\x89PNG']))),
    tar,
    new Uint8Array(gzipSync(tar)),
    await tarOf({ 'inner.zip': Buffer.from(zip).toString('latin1'), ...files }, 'latin1'),
  ];
}

const MANY = Array.from({ length: 300 }, (_, index) => index);
const TRACE = JSON.stringify([
  { role: 'user', content: 'Go.' },
  { role: 'assistant', content: 'Gone.' },
]);

function skippedFiles(): Record<string, string> {
  return {
    'README.md': '# Runs\n\nNothing to read here.\n',
    '__MACOSX/._a.json': '\0\x05\x16\x07',
    'folder/': '',
    'picture.png': `\x89PNG\r\n\x1a\n${'\0'.repeat(200_000)}`,
    'first.json': TRACE,
    'main.py': 'print("no recording")\n'.repeat(5000),
    'empty.json': '',
    'long.txt': 'a'.repeat(500_000),
    'second.json': TRACE,
    ...Object.fromEntries(MANY.slice(0, 40).map((i) => [`data/${i}.bin`, '\x01'.repeat(i * 50)])),
  };
}

async function inspectFiles(): Promise<Record<string, string>> {
  const samples = MANY.slice(0, 5).map((i) => [`samples/${i}_epoch_1.json`, TRACE]);
  const journal = MANY.slice(0, 30).map((i) => [`_journal/summaries/${i}.json`, '[{}]']);
  const header = { 'header.json': '{"eval":{}}', '_journal/start.json': '{}', 'notes.txt': 'x' };
  const [text = new Uint8Array()] = recordedTexts();
  const other = { 'other/run.json': new TextDecoder().decode(text) };
  return { ...header, ...Object.fromEntries([...samples, ...journal]), ...other };
}

function tarOf(
  files: Readonly<Record<string, string>>,
  encoding: BufferEncoding = 'utf8',
): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([name, text]) => {
    const body = new Uint8Array(Buffer.from(text, encoding));
    const type: 'directory' | 'file' = name.endsWith('/') ? 'directory' : 'file';
    return { header: { name, size: body.length, type }, body };
  });
  return packTar(entries);
}
