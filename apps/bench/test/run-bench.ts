import { join } from 'node:path';
import { type CommandResult, runCommand } from '@kp/testing/run-command';

/** Runs `bench` in a separate process. */
export function runBench(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const main = join(import.meta.dir, '../src/main.ts');
  return runCommand([process.execPath, main, ...words], { env });
}
