import { type Colors, colorsFor } from './colors.ts';
import type { ResolvedInputs } from './inputs.ts';
import { createOutput, type Output } from './output.ts';
import { createProgress, type Progress } from './progress.ts';

/** What a command talks to, and what has to be told at its end. */
export interface Terminal {
  readonly output: Output;
  /** For the output. */
  readonly colors: Colors;
  /** For messages. */
  readonly errorColors: Colors;
  readonly progress: Progress;
  /** Ends reading: Ctrl-C, or a reader of the output that has gone. */
  readonly stopped: AbortSignal;
  readonly interrupted: () => boolean;
  /** Prints a problem and counts it. */
  problem(message: string): void;
  readonly problems: () => number;
  /** Ends the progress line and stops listening for Ctrl-C. */
  release(): void;
}

/** @param quiet - no progress and no summary; problems are still printed. */
export function openTerminal({ inputs, unreadable }: ResolvedInputs, quiet: boolean): Terminal {
  const output = createOutput(process.stdout);
  const errorColors = colorsFor(process.stderr);
  const sizes = inputs.map(({ bytes }) => bytes);
  const totalBytes = sizes.every((bytes) => bytes !== undefined)
    ? sizes.reduce((sum, bytes) => sum + bytes, 0)
    : undefined;
  const progress = createProgress(process.stderr, totalBytes, quiet);
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  let problems = 0;
  const problem = (message: string): void => {
    problems++;
    progress.message(`${errorColors.red('problem')} ${message}`);
  };
  for (const message of unreadable) problem(message);
  return {
    output,
    colors: colorsFor(process.stdout),
    errorColors,
    progress,
    stopped: AbortSignal.any([interrupt.signal, output.closed]),
    interrupted: () => interrupt.signal.aborted,
    problem,
    problems: () => problems,
    release() {
      progress.stop();
      process.removeListener('SIGINT', onInterrupt);
    },
  };
}
