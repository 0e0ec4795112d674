import { join } from 'node:path';
import { outputOf, runCommand } from '@kp/testing/run-command';
import { readCommandLine } from './command-line.ts';

const USAGE = `bun run maintain words [--add]

Checks the spelling of texts, comments and names (cspell.json lists the files).

  --add   adds the unknown words to scripts/project-words.txt; read them before you commit`;

const root = join(import.meta.dir, '..');
const DICTIONARY = join(root, 'scripts/project-words.txt');
const cspell = [process.execPath, 'scripts/node_modules/cspell/bin.mjs', '--no-progress'];
const { values } = readCommandLine(USAGE, { options: { add: { type: 'boolean' } } });

if (values.add === true) {
  const list = [...cspell, '--no-summary', '--words-only', '--unique'];
  const { output } = await runCommand(list, { cwd: root });
  const known = (await Bun.file(DICTIONARY).text()).split('\n');
  const words = [...known, ...output.toLowerCase().split('\n')].filter(Boolean);
  await Bun.write(DICTIONARY, `${[...new Set(words)].sort().join('\n')}\n`);
  console.log(await outputOf(['git', 'diff', '--stat', DICTIONARY], { cwd: root }));
} else {
  const { exitCode, output, errors } = await runCommand([...cspell, '--quiet'], { cwd: root });
  console.log(output.trim() === '' ? 'words: no unknown word' : output.trim());
  if (exitCode !== 0) {
    console.error(`${errors}\ncorrect the words, or run: bun run maintain words --add`);
    process.exit(1);
  }
}
