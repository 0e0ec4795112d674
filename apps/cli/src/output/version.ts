/** The version of this package; a test compares it with package.json. */
export const VERSION = '0.1.0';

/** Prints the version without loading the program, so that scripts can ask for it quickly. */
export function printVersion(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader may close the pipe early.
    if (error.code === 'EPIPE') return;
    console.error(`kp: could not write the version to standard output: ${error.message}`);
    process.exitCode = 4;
  });
  process.stdout.write(`${VERSION}\n`);
}
