import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkTranslations, stampTranslation } from './translations.ts';

/**
 * Holds the translations of README.md and docs/ to the English pages.
 *
 * `--stamp FILE`, which may be repeated, says that a translation was revised by someone who reads
 * both languages, and is now one of the English page as it is.
 */
const root = join(import.meta.dir, '..');
try {
  const { values } = parseArgs({ options: { stamp: { type: 'string', multiple: true } } });
  for (const page of values.stamp ?? []) stampTranslation(root, page);
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}

const problems = checkTranslations(root);
for (const { message } of problems) console.error(message);
console.log(`translations: ${problems.length} problems`);
if (problems.length > 0) process.exit(1);
