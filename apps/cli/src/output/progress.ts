import type { WriteStream } from 'node:tty';
import { Presets, SingleBar } from 'cli-progress';
import { logFormat, messageLine } from './log-lines.ts';
import { grouped } from './text.ts';

/** A progress bar on a terminal; elsewhere only messages are printed. */
export interface Progress {
  /** Adds bytes read since the last call. */
  read(bytes: number): void;
  /** Counts one scored trace. */
  scored(): void;
  /** Prints a line above the bar. */
  message(line: string): void;
  /** Removes the bar; later messages are still printed. */
  stop(): void;
}

const CLEAR_LINE = '\r\u001b[2K';
/** Delay before the bar appears, so that short runs show none. */
const PATIENCE_MS = 400;

/** @param totalBytes - undefined if an input's size is unknown; then no remaining time is shown. */
export function createProgress(
  stream: WriteStream,
  totalBytes: number | undefined,
  quiet: boolean,
): Progress {
  const shown = stream.isTTY === true && !quiet && logFormat() === 'text';
  const bar = shown ? createBar(stream, totalBytes) : undefined;
  const startedAt = performance.now();
  let started = false;
  let stopped = false;
  let traces = 0;
  function update(bytes: number): void {
    if (bar === undefined || stopped) return;
    if (!started) {
      if (performance.now() - startedAt < PATIENCE_MS) return;
      bar.start(totalBytes ?? 0, 0, { traces: 0, rate: 0 });
      started = true;
    }
    const rate = Math.round(traces / ((performance.now() - startedAt) / 1000));
    bar.update(bytes, { traces: grouped(traces), rate: grouped(rate) });
  }
  let bytesRead = 0;
  return {
    read(bytes) {
      bytesRead += bytes;
      update(bytesRead);
    },
    scored() {
      traces++;
    },
    message(line) {
      stream.write(`${started ? CLEAR_LINE : ''}${messageLine(line)}\n`);
    },
    stop() {
      if (started) bar?.stop();
      started = false;
      stopped = true;
    },
  };
}

const WIDEST_BAR = 40;
// Maximum width of the figures beside the bar.
const FIGURES_WIDTH = 60;

function createBar(stream: WriteStream, totalBytes: number | undefined): SingleBar {
  const format =
    totalBytes === undefined
      ? '{traces} traces · {rate} a second'
      : '{bar} {percentage}% · {traces} traces · {rate} a second · {eta_formatted} left';
  return new SingleBar(
    {
      stream,
      format,
      barsize: Math.max(1, Math.min(WIDEST_BAR, stream.columns - FIGURES_WIDTH)),
      clearOnComplete: true,
      hideCursor: true,
      // Otherwise the terminal cuts off messages at its edge while the bar is shown.
      linewrap: true,
      fps: 8,
      etaBuffer: 100,
    },
    Presets.shades_classic,
  );
}
