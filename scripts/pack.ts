import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { packPackages } from './release/published-packages.ts';

/** Packs every published package into a folder, to install them without a registry. */
const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || folder.startsWith('-') || rest.length > 0) {
  const isHelp = folder === '--help' || folder === '-h';
  (isHelp ? console.log : console.error)('usage: bun run maintain pack FOLDER');
  process.exit(isHelp ? 0 : 2);
}
await mkdir(folder, { recursive: true });
const packed = await packPackages(resolve(folder));
console.log(
  `packed ${packed.length} packages into ${folder}; in your project: npm install ${folder}/*.tgz`,
);
