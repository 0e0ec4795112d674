import type { ReportData, ReportRun, RunTranscript } from '@kp/report';
import type { Settings } from './settings.ts';

/** A file that was dropped or chosen. */
export interface GivenFile {
  readonly file: Blob;
  /** Name with its folders. */
  readonly name: string;
  /** Whether the other runs are compared with those of this file. */
  readonly isBase?: boolean;
}

/** Messages to the worker. */
export type Request =
  /** More files; the last of them say so, and begin the reading. */
  | { readonly kind: 'files'; readonly files: readonly GivenFile[]; readonly isLast: boolean }
  | { readonly kind: 'settings'; readonly settings: Settings }
  /** Stop reading and show what was read, or stop comparing. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'download'; readonly what: Download }
  /** The texts of the run at a place. */
  | { readonly kind: 'texts'; readonly id: number; readonly place: number }
  /** Ends the search before; without a query there is none after it. */
  | { readonly kind: 'search'; readonly id: number; readonly query: string };

export type Download =
  | 'scores'
  | 'page'
  | 'page-with-texts'
  | 'picks'
  | 'without-repeats'
  | 'comparison';

/** Messages from the worker. */
export type Answer =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'problem'; readonly problem: FileProblem }
  /** A page, but for its runs, which follow some at a time: a large message stops the page. */
  | { readonly kind: 'report'; readonly data: ReportData; readonly repeats: number }
  | { readonly kind: 'runs'; readonly runs: readonly ReportRun[] }
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'download'; readonly what: Download; readonly content: Blob }
  | { readonly kind: 'texts'; readonly id: number; readonly transcript: RunTranscript | undefined }
  | { readonly kind: 'found'; readonly id: number; readonly part: SearchPart }
  | { readonly kind: 'failed'; readonly message: string };

/** Matches of a search so far. */
export interface SearchPart {
  /** Number of matches per run, by the run's position. */
  readonly hits: ReadonlyMap<number, number>;
  /** Share of the runs that were searched, in [0, 1]. */
  readonly done: number;
}

export interface Progress {
  readonly phase: 'gathering' | 'reading' | 'comparing' | 'scoring' | 'drawing';
  /** Of the bytes that are to be read, or of the runs that are to be compared. */
  readonly done: number;
  readonly total: number;
  readonly runs: number;
  /** File being read. */
  readonly file?: string;
}

/** Part of a file that could not be read; the rest was read. */
export interface FileProblem {
  readonly file: string;
  readonly message: string;
}

/**
 * Maximum number of runs; above it, the page recommends `kp`, which has more memory than a browser.
 */
export const MOST_RUNS = 10_000;
export const MOST_BYTES = 500_000_000;
