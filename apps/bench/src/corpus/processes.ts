import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The command line of `kp` in this tree. */
export function kpCommand(): readonly string[] {
  return [process.execPath, fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))];
}

/** Runs a command and returns what it wrote to standard error. */
export async function runProcess(command: readonly string[]): Promise<string> {
  const [program = '', ...words] = command;
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  // 3: parts of the input could not be read.
  if (status === 0 || status === 3) return errors;
  throw new Error(`${words.join(' ')}: expected exit 0, received ${status}\n${errors}`);
}
