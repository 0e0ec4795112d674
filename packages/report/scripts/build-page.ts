import { fileURLToPath } from 'node:url';
import { buildPage } from './page-source.ts';

/** Writes the page's script and style into `src/generated/page.ts`, which the package ships. */
const target = fileURLToPath(new URL('../src/generated/page.ts', import.meta.url));
const source = await buildPage();
await Bun.write(target, source);
console.log(`${target}: ${source.length} characters`);
