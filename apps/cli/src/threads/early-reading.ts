import { restartWithLateCompiler } from '../process/late-compiler.ts';
import { findEarlyFile, startEarly } from './early-worker.ts';

/**
 * Begins to read a large file of traces before the modules of a command load, if there is another core and an
 * argument names such a file. May restart the process.
 *
 * @param words - the command line.
 */
export function readEarly(words: readonly string[]): void {
  const file = findEarlyFile(words);
  if (file === undefined) return;
  restartWithLateCompiler();
  startEarly(file);
}
