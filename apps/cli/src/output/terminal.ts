import { type Colors, colorsFor } from './colors.ts';
import { type LogFields, logFormat, messageLine } from './log-lines.ts';
import { createOutput, type Output } from './output.ts';
import { createProgress, type Progress } from './progress.ts';

/** Where a command writes, and what it counts for its exit status. */
export interface Terminal {
  readonly output: Output;
  /** For the output. */
  readonly colors: Colors;
  /** For messages. */
  readonly errorColors: Colors;
  readonly progress: Progress;
  /** Ends reading: Ctrl-C, SIGTERM, or the reader of the output has closed it. */
  readonly stopped: AbortSignal;
  readonly interrupted: () => boolean;
  /** Prints a problem and counts it. */
  problem(message: string, amount?: number): void;
  readonly problems: () => number;
  /** Prints a warning; it changes no exit status. */
  warn(message: string): void;
  /** Ends the progress line and stops listening for signals. */
  release(): void;
}

/**
 * Writes a line to standard error. Messages are written by this and by {@link Progress} alone.
 *
 * @param fields - further fields of the line if it is JSON.
 */
export function say(message: string, fields?: LogFields): void {
  process.stderr.write(`${messageLine(message, fields)}\n`);
}

/** Writes a line of a log that is JSON, and nothing of one that is text. */
export function record(message: string, fields: LogFields): void {
  if (logFormat() === 'json') say(message, fields);
}

/** A progress bar that is not stopped keeps the process alive and the cursor hidden. */
const unreleased = new Set<Terminal>();

/** Ends the progress lines of commands that failed. */
export function releaseTerminals(): void {
  for (const terminal of unreleased) terminal.release();
}

/** Ctrl-C, and what `timeout`, containers and systemd send before SIGKILL. */
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

/** On one terminal the bar would be drawn between the rows, which show the progress themselves. */
function withoutBar(output: Output, progress: Progress): Output {
  const stopFirst = <Words extends unknown[]>(send: (...words: Words) => Promise<void>) => {
    return (...words: Words): Promise<void> => {
      progress.stop();
      return send(...words);
    };
  };
  const { write, print, json } = output;
  return { ...output, write: stopFirst(write), print: stopFirst(print), json: stopFirst(json) };
}

/** Where lines of text end: at the edge of a terminal, nowhere in a pipe. */
export function textWidthOf(stream: {
  readonly isTTY?: boolean;
  readonly columns?: number;
}): number | undefined {
  return stream.isTTY === true ? columnsOf(stream) : undefined;
}

/** The width of a table: that of the terminal, or `COLUMNS` without one. */
export function columnsOf(stream: { readonly columns?: number }): number {
  const columns = stream.columns || Number(process.env.COLUMNS) || WITHOUT_TERMINAL;
  return Math.max(NARROWEST, columns);
}
