/** How often Bun runs a function before it optimises it with its slowest compiler; default 100,000. */
const OPTION = 'BUN_JSC_thresholdForFTLOptimizeAfterWarmUp';
const THRESHOLD = '1000000';
/** Any version may rename the option, and Bun does not start with one that it does not know. */
const TESTED_VERSION = '1.4.5';
/** Begins the path of the main program in a compiled executable, which takes neither it nor flags of Bun. */
const IN_EXECUTABLE = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/;

/**
 * Restarts this process so that Bun's slowest compiler optimises fewer functions. With 30,000 runs on two cores it
 * takes a fifth of the processor time, which the threads that read then have, and functions become hardly faster. Bun
 * reads the option only when it starts, which takes about 10 ms.
 *
 * Returns in the restarted process, in Node and other versions of Bun, if the option is set, and on Windows, where a
 * process cannot be replaced.
 */
export function restartWithLateCompiler(): void {
  const { argv, env, execArgv, execPath, versions } = process;
  // Other programs that this one starts may be another version of Bun.
  if (env[OPTION] === THRESHOLD) delete env[OPTION];
  else if (versions.bun === TESTED_VERSION && env[OPTION] === undefined) {
    const [, program = '', ...words] = argv;
    const before = IN_EXECUTABLE.test(program) ? [] : [...execArgv, program];
    const withOption = { ...env, [OPTION]: THRESHOLD };
    process.execve?.(execPath, [execPath, ...before, ...words], withOption);
  }
}
