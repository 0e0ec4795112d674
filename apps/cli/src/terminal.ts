import type { Writable } from 'node:stream';
import picocolors from 'picocolors';
import { createOutput, type Output } from './output.ts';
import { createProgress, type Progress } from './progress.ts';

/** The few colours that the command uses; none of them says what no word says. */
export type Colors = Pick<typeof picocolors, 'bold' | 'dim' | 'green' | 'red' | 'yellow'>;

/** What a command talks to, and what has to be told at its end. */
export interface Terminal {
  readonly output: Output;
  /** For the output. */
  readonly colors: Colors;
  /** For messages. */
  readonly errorColors: Colors;
  readonly progress: Progress;
  /** Ends reading: Ctrl-C, SIGTERM, or a reader of the output that has gone. */
  readonly stopped: AbortSignal;
  readonly interrupted: () => boolean;
  /** Prints a problem, one line where it can be, and counts it. */
  problem(message: string, amount?: number): void;
  readonly problems: () => number;
  /** Prints what the user may not have meant; it changes no exit status. */
  warn(message: string): void;
  /** Ends the progress line and stops listening for signals. */
  release(): void;
}

/** A progress bar that is not stopped would keep the process alive, and the cursor hidden. */
const unreleased = new Set<Terminal>();

/** Ends what terminals of commands that failed have left on the screen. */
export function releaseTerminals(): void {
  for (const terminal of unreleased) terminal.release();
}

/** Ctrl-C, and what `timeout`, containers and systemd send before they kill. */
const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const;
const WITHOUT_TERMINAL = 140;
const NARROWEST = 40;

/**
 * @param totalBytes - undefined when the size of an input is not known.
 * @param quiet - no progress and no summary; problems are still printed.
 */
export function openTerminal(totalBytes: number | undefined, quiet: boolean): Terminal {
  const output = createOutput(process.stdout);
  const errorColors = colorsFor(process.stderr);
  const progress = createProgress(process.stderr, totalBytes, quiet);
  const interrupts = listenForInterrupts();
  let problems = 0;
  const shared = process.stdout.isTTY && process.stderr.isTTY;
  const terminal: Terminal = {
    output: shared ? withoutBar(output, progress) : output,
    colors: colorsFor(process.stdout),
    errorColors,
    progress,
    stopped: AbortSignal.any([interrupts.signal, output.closed]),
    interrupted: () => interrupts.signal.aborted,
    problem(message, amount = 1) {
      problems += amount;
      progress.message(`${errorColors.red('problem')} ${message}`);
    },
    problems: () => problems,
    warn: (message) => progress.message(`${errorColors.yellow('warning')} ${message}`),
    release() {
      progress.stop();
      interrupts.release();
      unreleased.delete(terminal);
    },
  };
  unreleased.add(terminal);
  return terminal;
}

/** Aborted by the first Ctrl-C or SIGTERM; the second ends the process. */
export function listenForInterrupts(): { readonly signal: AbortSignal; release(): void } {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  for (const signal of INTERRUPTS) process.once(signal, onInterrupt);
  return {
    signal: interrupt.signal,
    release() {
      for (const signal of INTERRUPTS) process.removeListener(signal, onInterrupt);
    },
  };
}

/** On one terminal with the rows a bar would be drawn between them; the rows show how far it is. */
function withoutBar(output: Output, progress: Progress): Output {
  return {
    ...output,
    write(text) {
      progress.stop();
      return output.write(text);
    },
  };
}

/**
 * Colours for a terminal that wants them: none in a pipe, with `NO_COLOR` or with `FORCE_COLOR=0`.
 *
 * @see https://no-color.org and https://force-color.org
 */
export function colorsFor(stream: Writable & { isTTY?: boolean }): Colors {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  const terminal = stream.isTTY === true && TERM !== 'dumb' && !NO_COLOR;
  const forced = FORCE_COLOR === undefined || FORCE_COLOR === '' ? undefined : FORCE_COLOR;
  const wanted =
    forced === undefined ? terminal : forced !== '0' && forced !== 'false' && !NO_COLOR;
  return picocolors.createColors(wanted);
}

/** How many columns a table may take: those of the terminal, or of `COLUMNS` where there is none. */
export function columnsOf(stream: { readonly columns?: number }): number {
  const columns = stream.columns || Number(process.env.COLUMNS) || WITHOUT_TERMINAL;
  return Math.max(NARROWEST, columns);
}
