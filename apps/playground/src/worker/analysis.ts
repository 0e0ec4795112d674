import type { SimilarityGraph } from '@kp/curation';
import { messageOf } from '@kp/foundation';
import { composeReport, type ReportData, renderReport } from '@kp/report';
import type { Answer, Download, GivenFile, Progress, Request } from '../protocol.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { type ReadRun, type ReadRuns, readRecordings } from './read-recordings.ts';
import { readTexts, searchTexts } from './run-texts.ts';
import { writeScores } from './saved-scores.ts';
import { compareRuns, type ScoredRuns, scoreRuns } from './score-runs.ts';

/** Everything that is known of the files that one worker was given. */
interface Analysed {
  readonly read: ReadRuns;
  readonly graph: SimilarityGraph;
  readonly scored: ScoredRuns;
  readonly data: ReportData;
  readonly settings: Settings;
}

const RUNS_A_MESSAGE = 250;
const PROGRESS_MS = 100;

/** What a worker does with the requests that it gets. */
export function createAnalysis(post: (answer: Answer) => void): (request: Request) => void {
  const files: GivenFile[] = [];
  let settings: Settings = DEFAULT_SETTINGS;
  let read: ReadRuns | undefined;
  let graph: SimilarityGraph | undefined;
  let analysed: Analysed | undefined;
  const reading = new AbortController();
  let computing = new AbortController();
  let last = Promise.resolve();
  const progress = throttled(post);
  let lastSearch = -1;

  function schedule(work: () => Promise<void>): void {
    last = last.then(work).catch((error: unknown) => {
      post({ kind: 'failed', message: messageOf(error) });
    });
  }

  async function readAll(): Promise<void> {
    if (globalThis.crypto?.subtle === undefined) {
      throw new Error('this page: expected to be opened by https or from localhost');
    }
    const total = files.reduce((sum, { file }) => sum + file.size, 0);
    read = await readRecordings(files, {
      stopped: reading.signal,
      onProblem: (problem) => post({ kind: 'problem', problem }),
      onProgress: (done, runs, file) => progress({ phase: 'reading', done, total, runs, file }),
    });
  }

  async function compute(): Promise<void> {
    if (read === undefined) return;
    if (read.runs.length === 0) throw new Error(describeNothing(files));
    const { signal } = computing;
    try {
      analysed = await analyse(read, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      post({ kind: 'stopped' });
      return;
    }
    const { runs, ...data } = analysed.data;
    const { size } = analysed.scored.repeats;
    post({ kind: 'report', data: { ...data, runs: [] }, repeats: size });
    for (let at = 0; at < runs.length; at += RUNS_A_MESSAGE) {
      post({ kind: 'runs', runs: runs.slice(at, at + RUNS_A_MESSAGE) });
    }
    post({ kind: 'done' });
  }

  async function analyse(from: ReadRuns, signal: AbortSignal): Promise<Analysed> {
    const runs = from.runs.length;
    const tell = (phase: Progress['phase'], done = 0, total = runs): void =>
      progress({ phase, done, total, runs });
    tell('comparing');
    graph ??= await compareRuns(from, signal, ({ done, total }) => tell('comparing', done, total));
    tell('scoring');
    const current = settings;
    const scored = await scoreRuns(from, graph, current, signal);
    tell('drawing');
    const analysis = { read: from, graph, scored, settings: current };
    const data = await drawPage(analysis, current.texts ? 'on demand' : 'none');
    signal.throwIfAborted();
    return { ...analysis, data };
  }

  async function download(what: Download): Promise<void> {
    if (analysed === undefined) return;
    post({ kind: 'download', what, content: await contentOf(what, analysed) });
  }

  async function search(id: number, query: string): Promise<void> {
    if (analysed === undefined) return;
    const isOver = (): boolean => id !== lastSearch;
    for await (const part of searchTexts(analysed.read, query, isOver)) {
      if (!isOver()) post({ kind: 'found', id, part });
    }
  }

  return (request) => {
    switch (request.kind) {
      case 'files':
        files.push(...request.files);
        if (!request.isLast) return;
        schedule(readAll);
        schedule(compute);
        return;
      case 'settings':
        settings = request.settings;
        if (read === undefined) return;
        computing.abort();
        computing = new AbortController();
        schedule(compute);
        return;
      case 'stop':
        if (read === undefined) reading.abort();
        else computing.abort();
        return;
      case 'download':
        schedule(() => download(request.what));
        return;
      case 'texts': {
        const { id, place } = request;
        schedule(async () => {
          const transcript = analysed && (await readTexts(analysed.read, place));
          post({ kind: 'texts', id, transcript });
        });
        return;
      }
      case 'search':
        lastSearch = request.id;
        schedule(() => search(request.id, request.query));
    }
  };
}

async function drawPage(
  { read, graph, scored, settings }: Omit<Analysed, 'data'>,
  texts: 'none' | 'on demand' | 'included',
): Promise<ReportData> {
  const count = Math.max(1, scored.runs.length);
  const { size } = scored.repeats;
  const alike = `are more than ${settings.duplicates} like another, which is kept`;
  const notes = size === 0 ? read.notes : [...read.notes, `${size} of ${count} runs ${alike}`];
  const runs = texts === 'included' ? await withTexts(scored.runs, read) : scored.runs;
  return composeReport(
    { runs, graph, vectors: read.vectors.rows },
    {
      title: titleOf(read.runs),
      threshold: settings.threshold,
      pickCount: settings.picks,
      duplicateThreshold: settings.duplicates,
      includeText: texts === 'included',
      textsOnDemand: texts === 'on demand',
      notes: notes.map((text) => ({ level: 'note', text })),
    },
  );
}

/** The runs with the texts of their steps. */
async function withTexts(
  runs: ScoredRuns['runs'],
  { runs: read, store }: ReadRuns,
): Promise<ScoredRuns['runs']> {
  const whole: ScoredRuns['runs'][number][] = [];
  for (const [place, run] of runs.entries()) {
    const trace = await store.read(read[place]?.stored ?? -1);
    const { metadata } = run.trace ?? {};
    if (trace === undefined || metadata === undefined) whole.push(run);
    else whole.push({ ...run, trace: { ...trace, metadata }, removedCharacters: 0 });
  }
  return whole;
}

/** Why there is no run to show; what could not be read is listed beside it. */
function describeNothing(files: readonly GivenFile[]): string {
  const isOne = files.length === 1;
  if (files.every(({ file }) => file.size === 0)) {
    return isOne ? `${files[0]?.name} is empty.` : `All ${files.length} files are empty.`;
  }
  const what = isOne
    ? `${files[0]?.name} has no run`
    : `None of the ${files.length} files has a run`;
  return `${what} that can be scored. Expected recordings of agents; the formats are listed in the documentation.`;
}

const NAMED = 3;

/** The files and folders that the runs are from. */
function titleOf(runs: readonly ReadRun[]): string {
  const names = [...new Set(runs.map(({ file }) => file.split('/', 1)[0] ?? ''))].sort();
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

async function contentOf(what: Download, analysed: Analysed): Promise<Blob> {
  const { read, scored, data } = analysed;
  const stored = (place: number): number => read.runs[place]?.stored ?? -1;
  switch (what) {
    case 'scores':
      return writeScores(scored.runs);
    case 'picks':
      return read.store.lines((data.picks?.runs ?? []).map(stored));
    case 'without-repeats': {
      const kept = [...read.runs.keys()].filter((place) => !scored.repeats.has(place));
      return read.store.lines(kept.map(stored));
    }
    case 'page':
    case 'page-with-texts': {
      const drawn =
        what === 'page' && !data.withheld.texts
          ? data
          : await drawPage(analysed, what === 'page' ? 'none' : 'included');
      return new Blob([await renderReport(drawn)], { type: 'text/html' });
    }
  }
}

/** Progress at most every 100 ms, but each new phase at once. */
function throttled(post: (answer: Answer) => void): (progress: Progress) => void {
  let phase: Progress['phase'] | undefined;
  let file: string | undefined;
  let told = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    // The page must know what is being read when a worker dies of it.
    const isNew = progress.phase !== phase || progress.file !== file;
    if (!isNew && now - told < PROGRESS_MS) return;
    phase = progress.phase;
    file = progress.file;
    told = now;
    post({ kind: 'progress', progress });
  };
}
