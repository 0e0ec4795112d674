import { ownCommand } from './own-command.ts';

/** How often Bun runs a function before it optimises it with its slowest compiler; default 100,000. */
const OPTION = 'BUN_JSC_thresholdForFTLOptimizeAfterWarmUp';
const THRESHOLD = '1000000';
/** Any version may rename the option, and Bun does not start with one that it does not know. */
const TESTED_VERSION = '1.4.5';

/**
 * Returns the environment of a process of this program in which Bun's slowest compiler optimises fewer functions. With
 * 30,000 runs on two cores it takes a fifth of the processor time, which other threads and processes then have, and
 * functions become hardly faster. The environment is unchanged if it sets the option, in Node and in other versions of
 * Bun.
 */
export function withLateCompiler(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isKnown = process.versions.bun === TESTED_VERSION && env[OPTION] === undefined;
  return isKnown ? { ...env, [OPTION]: THRESHOLD } : env;
}

/**
 * Removes what {@link withLateCompiler} set: other programs that this one starts may be another version of Bun.
 *
 * @returns whether it was set.
 */
export function forgetLateCompiler(): boolean {
  if (process.env[OPTION] !== THRESHOLD) return false;
  delete process.env[OPTION];
  return true;
}

/**
 * Restarts this process {@link withLateCompiler}: Bun reads the option only when it starts, which takes about 10 ms.
 * Returns in the restarted process, if the environment would not change, and if the system does not replace the process,
 * as on Windows.
 */
export function restartWithLateCompiler(): void {
  if (forgetLateCompiler()) return;
  const env = withLateCompiler(process.env);
  const [program, ...words] = ownCommand();
  if (env === process.env) return;
  try {
    process.execve?.(program, [program, ...words, ...process.argv.slice(2)], env);
  } catch {
    // This process continues, only more slowly.
  }
}
