import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readUsage, STARTED, type Usage } from './usage.ts';

/**
 * Runs a program of this folder, which reports its usage, and discards its output.
 *
 * @throws Error with its standard error if it does not exit with 0.
 */
export async function usageOf(program: string, ...operands: string[]): Promise<Usage> {
  const path = fileURLToPath(new URL(`./${program}.ts`, import.meta.url));
  const flags = process.execArgv.filter((flag) => flag.startsWith('--'));
  const words = [...flags, path, ...operands];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, [STARTED]: `${Date.now()}` },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (exitCode === 0) return readUsage(errors);
  throw new Error(`${program}: expected exit 0, received ${exitCode}\n${errors}`);
}

/** Scores a file with the built kp on a number of threads, and discards its output. */
export function usageOfScore(file: string, jobs: number): Promise<Usage> {
  return usageOf('score-lines', 'score', '--json', '-q', '--jobs', `${jobs}`, file);
}
