import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Runs a program of this app in a process of its own, with the runtime and the flags of this one.
 *
 * @param program - its file without the ending, from the folder `src`.
 * @returns what it printed on standard output.
 * @throws Error with what it printed on standard error, when it does not exit with 0.
 */
export async function runProgram(program: string, words: readonly string[] = []): Promise<string> {
  const file = fileURLToPath(new URL(`../${program}.${ending}`, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, file, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (exitCode === 0) return output;
  throw new Error(`${program}: expected exit 0, received ${exitCode}\n${errors}`);
}
