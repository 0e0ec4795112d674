import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Scorer, TraceValidationError } from '@knowledgepulse/sdk';
import { type ImportOptions, importTraces, isRecordingName, type Provenance } from '@kp/importers';
import type { FSWatcher } from 'chokidar';
import { type Command, InvalidArgumentError } from 'commander';
import { EXIT, type ExitStatus, UsageError } from '../exit.ts';
import { isFolder } from '../inputs.ts';
import { addInputOptions, type InputFlags, inputChoiceOf } from '../options.ts';
import { createOutput, type Output } from '../output.ts';
import { fieldsOf, type Run, type ScoredRun } from '../run.ts';
import { addScorerOptions, createChosenScorer, type ScorerFlags } from '../scoring.ts';
import { columnsOf } from '../terminal.ts';
import { fit, oneLine } from '../text.ts';

interface WatchFlags extends InputFlags, ScorerFlags {
  readonly settle: number;
  readonly initial?: boolean;
  readonly json?: boolean;
}

const SETTLE_SECONDS = 3;
const PRESENCE_MS = 1000;
/** Why a watch ended by itself. */
const GONE = 'the folder is gone';

export function addWatchCommand(program: Command): void {
  const command = program
    .command('watch')
    .summary('score runs as they are written')
    .description(
      'Watches a folder and scores each run when nothing has been written to its file for a while: sessions of Claude Code and Codex, and whatever else kp reads. A run that goes on is scored again.',
    )
    .argument('<folder>', 'where runs are written, such as ~/.claude/projects or ~/.codex/sessions')
    .option('--settle <seconds>', 'how long a file must rest', parseSeconds, SETTLE_SECONDS)
    .option('--initial', 'score what is there already, first')
    .option('--json', 'one report a line, as of kp score --json');
  addScorerOptions(command);
  addInputOptions(command);
  command.action(async (folder: string, flags: WatchFlags) => {
    process.exitCode = await watch(folder, flags);
  });
}

/** @returns the exit status, when it is told to end. */
async function watch(folder: string, flags: WatchFlags): Promise<ExitStatus> {
  if (!(await isFolder(folder))) {
    throw new UsageError(`${folder}: expected a folder to watch, received none of that name`);
  }
  const { options } = await inputChoiceOf(flags);
  const chosen = await createChosenScorer(flags, undefined, 'replace');
  const output = createOutput(process.stdout);
  const ended = new AbortController();
  const stopped = AbortSignal.any([ended.signal, output.closed]);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
  const files = createFileQueue(flags.settle * 1000, (path) =>
    scoreFile(path, { scorer: chosen.scorer, options, seen, output, json: flags.json === true }),
  );
  const seen = new Map<string, Map<string, string>>();
  const watcher = await openWatcher(folder, flags.initial !== true, (opened) => {
    opened.on('add', (path) => files.touch(path));
    opened.on('change', (path) => files.touch(path));
    opened.on('unlink', (path) => {
      files.forget(path);
      seen.delete(path);
    });
    opened.on('error', (error) => process.stderr.write(`problem ${messageOf(error)}\n`));
  });
  // A watcher is not told when the folder itself goes, and may then keep a processor busy.
  const presence = setInterval(async () => {
    if (!(await isFolder(folder))) ended.abort(GONE);
  }, PRESENCE_MS);
  process.stderr.write(`watching ${folder}; Ctrl-C ends\n`);
  await new Promise<void>((done) => stopped.addEventListener('abort', () => done()));
  clearInterval(presence);
  await watcher.close();
  await files.end();
  await chosen.close();
  if (ended.signal.reason !== GONE) return EXIT.fine;
  process.stderr.write(`${folder}: expected a folder to watch, and it is gone\n`);
  return EXIT.wrongUse;
}

/** @param listen - told of the watcher before it looks at what is there. */
async function openWatcher(
  folder: string,
  ignoreInitial: boolean,
  listen: (watcher: FSWatcher) => void,
): Promise<FSWatcher> {
  const { watch: open } = await import('chokidar');
  const watcher = open(folder, {
    ignoreInitial,
    ignored: (path, stats) => stats?.isFile() === true && !isRecordingName(path),
  });
  listen(watcher);
  await new Promise<void>((done) => watcher.once('ready', () => done()));
  return watcher;
}

/** Files that were written to, each due once it has rested; one after the other. */
interface FileQueue {
  touch(path: string): void;
  forget(path: string): void;
  /** Does at once what is due, and resolves when it is done. */
  end(): Promise<void>;
}

function createFileQueue(settleMs: number, score: (path: string) => Promise<void>): FileQueue {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let last: Promise<void> = Promise.resolve();
  function due(path: string): void {
    timers.delete(path);
    last = last
      .then(() => score(path))
      .catch((error: unknown) => {
        // It was deleted before its turn; that another file is missing is told.
        const { code, path: missing } = Object(error) as NodeJS.ErrnoException;
        if (code === 'ENOENT' && missing === path) return;
        process.stderr.write(`problem ${path}: ${messageOf(error)}\n`);
      });
  }
  return {
    touch(path) {
      clearTimeout(timers.get(path));
      timers.set(
        path,
        setTimeout(() => due(path), settleMs),
      );
    },
    forget(path) {
      clearTimeout(timers.get(path));
      timers.delete(path);
    },
    async end() {
      for (const [path, timer] of timers) {
        clearTimeout(timer);
        due(path);
      }
      await last;
    },
  };
}

interface Scoring {
  readonly scorer: Scorer;
  readonly options: ImportOptions;
  /** What was scored of a file: digests by trace id. */
  readonly seen: Map<string, Map<string, string>>;
  readonly output: Output;
  readonly json: boolean;
}

/** Scores the runs of a file that are new or have grown; it is read whole, however it was changed. */
async function scoreFile(
  path: string,
  { scorer, options, seen, output, json }: Scoring,
): Promise<void> {
  const before = seen.get(path) ?? new Map<string, string>();
  const now = new Map<string, string>();
  for await (const item of importTraces(createReadStream(path), options)) {
    // The last line may be half written; when the rest has come, the file is read again.
    if (item.kind !== 'trace') continue;
    const { line, format, provenance } = item;
    const trace = { ...item.trace, id: lastingId(item.trace.id, format, provenance) };
    const digest = createHash('sha256').update(JSON.stringify(trace.steps)).digest('hex');
    now.set(trace.id, digest);
    if (before.get(trace.id) === digest) continue;
    const run: Run = { trace, file: path, line, format, provenance, record: null };
    try {
      const report = await scorer.evaluate(trace);
      await output.write(lineOf({ report, run, fields: fieldsOf(run) }, json));
    } catch (error) {
      if (!(error instanceof TraceValidationError)) throw error;
      process.stderr.write(`problem ${path}:${line}: ${oneLine(error.message)}\n`);
    }
  }
  seen.set(path, now);
}

/**
 * What a run is called while it goes on: ids of imported traces change with what they hold, and the
 * run would be compared with its own beginning.
 */
function lastingId(id: string, format: string, provenance: Provenance | undefined): string {
  const names = Object.values(provenance?.source ?? {});
  return names.length === 0 ? id : ['kp:trace', format, ...names].join(':');
}

function lineOf({ report, fields }: ScoredRun, json: boolean): string {
  if (json) {
    const { elapsedMs: _elapsed, withinBudget: _within, ...rest } = report;
    return `${JSON.stringify({ ...rest, run: fields })}\n`;
  }
  const { objective, steps, file } = fields;
  const novelty = report.dimensions.novelty.toFixed(2);
  const start = `${report.score.toFixed(3)}  new ${novelty}  ${String(steps).padStart(4)} steps  `;
  const width = columnsOf(process.stdout) - start.length;
  return `${start}${fit(`${oneLine(objective)}  (${oneLine(file)})`, width)}\n`;
}

function messageOf(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error));
}

function parseSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 3600) return value;
  throw new InvalidArgumentError('expected a number of seconds from 0 to 3,600');
}
