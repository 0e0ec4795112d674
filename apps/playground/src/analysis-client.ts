import { plural } from '@kp/foundation';
import type { ReportData, ReportRun } from '@kp/report';
import type { TextSource } from '@kp/report/page';
import type { Answer, Download, FileProblem, GivenFile, Progress, Request } from './protocol.ts';
import type { Settings } from './settings.ts';
import { createTextQuestions } from './text-questions.ts';

/** Callbacks for the progress and outcome of an analysis. */
export interface AnalysisListener {
  onProgress(progress: Progress): void;
  /** Receives all problems so far. */
  onProblems(problems: readonly FileProblem[]): void;
  onReport(data: ReportData, repeats: number): void;
  onStopped(): void;
  onFailed(message: string): void;
  onDownload(what: Download, content: Blob): void;
}

/** Reads, scores and compares files in a worker. */
export interface AnalysisClient {
  /**
   * Replaces the previous files.
   *
   * @param problems - known problems of the files.
   */
  start(files: readonly GivenFile[], problems: readonly FileProblem[], settings: Settings): void;
  change(settings: Settings): void;
  stop(): void;
  download(what: Download): void;
  /** Texts of the runs of the last report. */
  readonly texts: TextSource;
}

// Number of files per message: receiving a large message blocks the page.
const FILES_A_MESSAGE = 100;
const PROGRESS_MS = 100;
// Timeout in milliseconds. The longest step without a message, drawing a map, takes a few seconds.
const SILENCE_MS = 120_000;
const MOST_RESTARTS = 5;

/** @param createWorker - creates a worker that runs `worker/worker.ts`. */
export function createAnalysisClient(
  listener: AnalysisListener,
  createWorker: () => Promise<Worker>,
): AnalysisClient {
  let worker: Worker | undefined;
  // The worker of the shown report. It has the texts, even while another worker reads the next
  // files.
  let shown: Worker | undefined;
  // Created in advance.
  let spare = createWorker();
  spare.catch(() => undefined);
  // Number of starts; results of earlier starts are ignored.
  let beginnings = 0;
  let given: readonly GivenFile[] = [];
  let settings: Settings | undefined;
  let restarts = 0;
  // Problems that a new worker would not find again, and all problems.
  let standing: readonly FileProblem[] = [];
  let problems: FileProblem[] = [];
  let latest: Progress | undefined;
  let told = 0;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const questions = createTextQuestions((request) => shown?.postMessage(request));
  let arriving: { data: ReportData; repeats: number; runs: ReportRun[] } | undefined;

  function begin(files: readonly GivenFile[]): void {
    end();
    given = files;
    problems = [...standing];
    const beginning = ++beginnings;
    run(beginning, files).catch((error: Error) => {
      if (beginning === beginnings) listener.onFailed(error.message);
    });
  }

  async function run(beginning: number, files: readonly GivenFile[]): Promise<void> {
    const started = await spare.catch(createWorker);
    if (beginning !== beginnings) return;
    spare = createWorker();
    spare.catch(() => undefined);
    worker = started;
    started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (worker === started) take(data);
      else if (shown === started) takeFromShown(data);
    });
    const die = (event: Event): void => {
      event.preventDefault();
      const { message } = event as Partial<ErrorEvent>;
      if (worker === started) died(message ?? 'it sent what cannot be read');
      else if (shown === started) endShown();
    };
    started.addEventListener('error', die);
    started.addEventListener('messageerror', die);
    listen();
    if (settings !== undefined) post({ kind: 'settings', settings });
    await sendFiles(started, files);
  }

  async function sendFiles(to: Worker, files: readonly GivenFile[]): Promise<void> {
    for (let at = 0; at === 0 || at < files.length; at += FILES_A_MESSAGE) {
      if (worker !== to) return;
      const isLast = at + FILES_A_MESSAGE >= files.length;
      post({ kind: 'files', files: files.slice(at, at + FILES_A_MESSAGE), isLast });
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  function take(answer: Answer): void {
    listen();
    switch (answer.kind) {
      case 'progress':
        tell(answer.progress);
        return;
      case 'problem':
        problems.push(answer.problem);
        return;
      case 'report':
        arriving = { data: answer.data, repeats: answer.repeats, runs: [] };
        return;
      case 'runs':
        arriving?.runs.push(...answer.runs);
        return;
      case 'done':
        rest();
        if (arriving === undefined) return;
        if (shown !== worker) endShown();
        shown = worker;
        listener.onReport({ ...arriving.data, runs: arriving.runs }, arriving.repeats);
        arriving = undefined;
        return;
      case 'stopped':
        rest();
        listener.onStopped();
        return;
      case 'download':
        rest();
        listener.onDownload(answer.what, answer.content);
        return;
      case 'texts':
      case 'found':
        rest();
        questions.take(answer);
        return;
      case 'failed':
        rest();
        returnToShown();
        listener.onFailed(answer.message);
    }
  }

  /** While another worker reads, the worker of the page answers requests for its runs. */
  function takeFromShown(answer: Answer): void {
    if (answer.kind === 'texts' || answer.kind === 'found') questions.take(answer);
    if (answer.kind === 'download') listener.onDownload(answer.what, answer.content);
  }

  function tell(progress: Progress): void {
    const now = performance.now();
    const isNew = progress.phase !== latest?.phase;
    latest = progress;
    if (!isNew && now - told < PROGRESS_MS) return;
    told = now;
    listener.onProblems([...problems]);
    listener.onProgress(progress);
  }

  /** A file that crashes the worker must not affect other files. */
  function died(reason: string): void {
    const file = latest?.phase === 'reading' ? latest.file : undefined;
    const culprit = given.find(({ name }) => file === name || file?.startsWith(`${name}/`));
    if (worker === shown) endShown();
    end();
    if (culprit === undefined || restarts >= MOST_RESTARTS) {
      const runs = latest?.runs ?? 0;
      worker = shown;
      listener.onFailed(
        `The worker ended after ${plural(runs, 'run')} (${reason}). Try fewer files, or kp report.`,
      );
      return;
    }
    restarts++;
    const message = `reading it ended the worker (${reason}); the other files were read without it`;
    standing = [...standing, { file: culprit.name, message }];
    begin(given.filter((each) => each !== culprit));
  }

  function listen(): void {
    clearTimeout(silence);
    silence = setTimeout(() => died(`no sign of life for ${SILENCE_MS / 1000} s`), SILENCE_MS);
  }

  function rest(): void {
    clearTimeout(silence);
    listener.onProblems([...problems]);
  }

  /** Ends the worker that is reading; the shown page keeps its own worker. */
  function end(): void {
    clearTimeout(silence);
    if (worker !== shown) worker?.terminate();
    worker = undefined;
    arriving = undefined;
  }

  function endShown(): void {
    shown?.terminate();
    shown = undefined;
    questions.end();
  }

  /** After a failure, the settings and the downloads refer to the shown page. */
  function returnToShown(): void {
    if (shown === undefined) return;
    end();
    worker = shown;
  }

  function post(request: Request): void {
    worker?.postMessage(request);
  }

  return {
    texts: questions.source,
    start(files, missing, chosen) {
      settings = chosen;
      standing = missing;
      restarts = 0;
      latest = undefined;
      begin(files);
    },
    change(chosen) {
      settings = chosen;
      if (worker === undefined) return;
      listen();
      post({ kind: 'settings', settings: chosen });
    },
    stop() {
      if (worker === undefined) {
        // The worker is still being created and must not start.
        beginnings++;
        listener.onStopped();
      } else post({ kind: 'stop' });
    },
    download(what) {
      shown?.postMessage({ kind: 'download', what });
    },
  };
}

/**
 * Creates workers from one script, which is loaded once, at the first call, so that dropping files
 * causes no requests. The workers are under the page's own policy: a worker loaded by its address
 * would be under the policy that its server sends, which may be none.
 */
export function createWorkerSource(address: string): () => Promise<Worker> {
  let script: Promise<string> | undefined;
  async function load(): Promise<string> {
    const response = await fetch(address);
    if (!response.ok)
      throw new Error(`${address}: expected the worker, received ${response.status}`);
    return URL.createObjectURL(await response.blob());
  }
  return async () => {
    script ??= load();
    try {
      return new Worker(await script, { type: 'module' });
    } catch (error) {
      script = undefined;
      throw error;
    }
  };
}
