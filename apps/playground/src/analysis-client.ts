import { plural } from '@kp/foundation';
import type { ReportData, ReportRun } from '@kp/report';
import type { TextSource } from '@kp/report/page';
import { createCrashRecovery } from './crash-recovery.ts';
import type { Answer, Download, FileProblem, GivenFile, Progress, Request } from './protocol.ts';
import type { Settings } from './settings.ts';
import { createTextQuestions } from './text-questions.ts';
import { createWorkerWatchdog } from './worker-watchdog.ts';

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
// The longest step without a message, drawing a map, takes a few seconds.
const SILENCE_MS = 120_000;

/** @param createWorker - creates a worker that runs `worker/worker.ts`. */
export function createAnalysisClient(
  listener: AnalysisListener,
  createWorker: () => Promise<Worker>,
): AnalysisClient {
  // Created in advance, so that a start does not wait for it.
  let prewarmed = prewarm(createWorker);
  // The worker that is reading, or that of the shown report.
  let worker: Worker | undefined;
  // The worker of the shown report. It has the texts, even while another worker reads the next
  // files.
  let shown: Worker | undefined;
  const questions = createTextQuestions((request) => shown?.postMessage(request));
  const watchdog = createWorkerWatchdog(SILENCE_MS, onWorkerCrash);
  // Number of starts; results of earlier starts are ignored.
  let generation = 0;
  let settings: Settings | undefined;
  let recovery = createCrashRecovery([], []);
  let problems: FileProblem[] = [];
  let latest: Progress | undefined;
  let reportedAt = 0;
  let incoming: { data: ReportData; repeats: number; runs: ReportRun[] } | undefined;

  function begin(): void {
    endReading();
    problems = [...recovery.keptProblems];
    const own = ++generation;
    read(own).catch((error: Error) => {
      if (own === generation) listener.onFailed(error.message);
    });
  }

  async function read(own: number): Promise<void> {
    const started = await prewarmed.catch(createWorker);
    if (own !== generation) return;
    prewarmed = prewarm(createWorker);
    worker = started;
    listenTo(started);
    watchdog.restart();
    if (settings !== undefined) post({ kind: 'settings', settings });
    await sendFiles(started, recovery.files);
  }

  function listenTo(started: Worker): void {
    started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (worker === started) take(data);
      else if (shown === started) takeFromShown(data);
    });
    const onError = (event: Event): void => {
      event.preventDefault();
      const { message } = event as Partial<ErrorEvent>;
      if (worker === started) onWorkerCrash(message ?? 'it sent what cannot be read');
      else if (shown === started) endShown();
    };
    started.addEventListener('error', onError);
    started.addEventListener('messageerror', onError);
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
    watchdog.restart();
    switch (answer.kind) {
      case 'progress':
        reportProgress(answer.progress);
        return;
      case 'problem':
        problems.push(answer.problem);
        return;
      case 'report':
        incoming = { data: answer.data, repeats: answer.repeats, runs: [] };
        return;
      case 'runs':
        incoming?.runs.push(...answer.runs);
        return;
      case 'done':
        onWorkerIdle();
        showReport();
        return;
      case 'stopped':
        onWorkerIdle();
        listener.onStopped();
        return;
      case 'download':
        onWorkerIdle();
        listener.onDownload(answer.what, answer.content);
        return;
      case 'texts':
      case 'found':
        onWorkerIdle();
        questions.take(answer);
        return;
      case 'failed':
        onWorkerIdle();
        returnToShown();
        listener.onFailed(answer.message);
    }
  }

  /** While another worker reads, the worker of the page answers requests for its runs. */
  function takeFromShown(answer: Answer): void {
    if (answer.kind === 'texts' || answer.kind === 'found') questions.take(answer);
    if (answer.kind === 'download') listener.onDownload(answer.what, answer.content);
  }

  function reportProgress(progress: Progress): void {
    const now = performance.now();
    const isNew = progress.phase !== latest?.phase;
    latest = progress;
    if (!isNew && now - reportedAt < PROGRESS_MS) return;
    reportedAt = now;
    listener.onProblems([...problems]);
    listener.onProgress(progress);
  }

  function showReport(): void {
    if (incoming === undefined) return;
    if (shown !== worker) endShown();
    shown = worker;
    listener.onReport({ ...incoming.data, runs: incoming.runs }, incoming.repeats);
    incoming = undefined;
  }

  function onWorkerIdle(): void {
    watchdog.stop();
    listener.onProblems([...problems]);
  }

  function onWorkerCrash(reason: string): void {
    if (worker === shown) endShown();
    endReading();
    if (recovery.leaveOutCulprit(latest, reason)) {
      begin();
      return;
    }
    worker = shown;
    const runs = plural(latest?.runs ?? 0, 'run');
    listener.onFailed(`The worker ended after ${runs} (${reason}). Try fewer files, or kp report.`);
  }

  /** Ends the worker that is reading; the shown page keeps its own worker. */
  function endReading(): void {
    watchdog.stop();
    if (worker !== shown) worker?.terminate();
    worker = undefined;
    incoming = undefined;
  }

  function endShown(): void {
    shown?.terminate();
    shown = undefined;
    questions.end();
  }

  /** After a failure, the settings and the downloads refer to the shown page. */
  function returnToShown(): void {
    if (shown === undefined) return;
    endReading();
    worker = shown;
  }

  function post(request: Request): void {
    worker?.postMessage(request);
  }

  return {
    texts: questions.source,
    start(files, knownProblems, chosen) {
      settings = chosen;
      recovery = createCrashRecovery(files, knownProblems);
      latest = undefined;
      begin();
    },
    change(chosen) {
      settings = chosen;
      if (worker === undefined) return;
      watchdog.restart();
      post({ kind: 'settings', settings: chosen });
    },
    stop() {
      if (worker === undefined) {
        // The worker is still being created and must not start.
        generation++;
        listener.onStopped();
      } else post({ kind: 'stop' });
    },
    download(what) {
      shown?.postMessage({ kind: 'download', what });
    },
  };
}

/** Creates a worker in advance. A failure is reported when the worker is needed. */
function prewarm(createWorker: () => Promise<Worker>): Promise<Worker> {
  const prewarmed = createWorker();
  prewarmed.catch(() => undefined);
  return prewarmed;
}
