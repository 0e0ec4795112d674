import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Scorer, TraceValidationError } from '@knowledgepulse/sdk';
import { messageOf } from '@kp/foundation';
import {
  type ImportOptions,
  type ImportProblem,
  importTraces,
  type Provenance,
} from '@kp/importers';
import { type Command, InvalidArgumentError } from 'commander';
import { wrongUse } from '../output/errors.ts';
import { EXIT, type ExitStatus } from '../output/exit.ts';
import { addHelp } from '../output/help.ts';
import { createOutput } from '../output/output.ts';
import { createFileQueue, openWatcher } from '../runs/changed-files.ts';
import { isFolder } from '../runs/named-files.ts';
import { addInputOptions, type InputFlags, inputChoiceOf } from '../runs/options.ts';
import { createProblemList } from '../runs/problem-list.ts';
import { describeRefusal, toCrashedRun } from '../runs/read-runs.ts';
import { invalidReason, type Run } from '../runs/run.ts';
import { fieldsOf } from '../runs/run-fields.ts';
import { sha256Of } from '../runs/sha256.ts';
import { addScorerOptions, createChosenScorer, type ScorerFlags } from '../scoring/scoring.ts';
import { createWatchView, type WatchView } from '../views/watch-view.ts';

interface WatchFlags extends InputFlags, ScorerFlags {
  readonly settle: number;
  readonly initial?: boolean;
  readonly json?: boolean;
}

const SETTLE_SECONDS = 3;
const PRESENCE_MS = 1000;
/** Why the command stopped by itself. */
const GONE = 'the folder is gone';

export function addWatchCommand(program: Command): void {
  const command = program
    .command('watch')
    .description(
      'Watches a folder and scores each run when its file has not changed for a while. A run that continues is scored again.',
    )
    .argument('<folder>', 'the folder, such as ~/.claude/projects or ~/.codex/sessions')
    .option(
      '--settle <seconds>',
      'score a file when it has not changed for this long',
      parseSeconds,
      SETTLE_SECONDS,
    )
    .option('--initial', 'score the existing files first')
    .option('--json', 'print JSON, one run per line');
  addScorerOptions(command);
  addInputOptions(command);
  addHelp(command, {
    examples: [
      ['kp watch ~/.claude/projects', 'score sessions of Claude Code as they end'],
      ['kp watch runs/ --initial --json > scores.jsonl', 'keep the scores'],
    ],
    interrupted: null,
  });
  command.action(async (folder: string, flags: WatchFlags) => {
    process.exitCode = await watch(folder, flags);
  });
}

/** @returns The exit status, once it is stopped. */
async function watch(folder: string, flags: WatchFlags): Promise<ExitStatus> {
  if (!(await isFolder(folder))) {
    throw wrongUse(folder, 'a folder to watch', 'a path that does not exist');
  }
  const { options } = await inputChoiceOf(flags);
  const chosen = await createChosenScorer(flags, undefined, 'replace');
  const output = createOutput(process.stdout);
  const view = createWatchView(output, flags.json === true);
  const ended = new AbortController();
  const stopped = AbortSignal.any([ended.signal, output.closed]);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
  const seen = new Map<string, Map<string, string>>();
  const told = new Set<string>();
  const scoring = { scorer: chosen.scorer, options, seen, told, view };
  const score = (path: string): Promise<void> => scoreFile(path, scoring);
  const files = createFileQueue(flags.settle * 1000, score, view.tell);
  const watcher = await openWatcher(
    folder,
    flags.initial !== true,
    (opened) => {
      opened.on('add', (path) => files.touch(path));
      opened.on('change', (path) => files.touch(path));
      opened.on('unlink', (path) => {
        files.forget(path);
        seen.delete(path);
      });
      opened.on('error', (error) => view.tell(`problem ${messageOf(error)}`));
    },
    (path) => {
      const problem = `problem ${path}: expected permission to read, received none`;
      if (!told.has(problem)) view.tell(problem);
      told.add(problem);
    },
  );
  // Watchers are not notified when the watched folder is deleted, and may then use a full CPU core.
  const presence = setInterval(async () => {
    if (!(await isFolder(folder))) ended.abort(GONE);
  }, PRESENCE_MS);
  view.tell(`watching ${folder}; stop with Ctrl-C`);
  await new Promise<void>((done) => stopped.addEventListener('abort', () => done()));
  clearInterval(presence);
  await watcher.close();
  await files.end();
  await chosen.close();
  if (ended.signal.reason !== GONE) return EXIT.done;
  view.tell(
    `${folder}: the folder was deleted or moved; start kp watch again when the folder exists`,
  );
  return EXIT.wrongUse;
}

interface Scoring {
  readonly scorer: Scorer;
  readonly options: ImportOptions;
  /** Scored runs of each file: digests by trace id. */
  readonly seen: Map<string, Map<string, string>>;
  /** Problems already reported, because a file is read again after each change. */
  readonly told: Set<string>;
  readonly view: WatchView;
}

/** Scores the runs of a file that are new or have grown. Reads the whole file each time. */
async function scoreFile(
  path: string,
  { scorer, options, seen, told, view }: Scoring,
): Promise<void> {
  // A symlink may point to a folder; reading a pipe would wait for its writer.
  if (!(await stat(path)).isFile()) return;
  const before = seen.get(path) ?? new Map<string, string>();
  const now = new Map<string, string>();
  const problems = createProblemList(path, false, {
    problem(message) {
      if (!told.has(message)) view.tell(`problem ${message}`);
      told.add(message);
    },
    refused: () => undefined,
    foreign: () => undefined,
  });
  let halfWritten: ImportProblem | undefined;
  for await (const item of importTraces(createReadStream(path), options)) {
    if (item.kind === 'error') {
      const { error } = item;
      if (error.code === 'INVALID_JSON' && error.received?.startsWith('the end'))
        halfWritten = error;
      else problems.add(describeRefusal(path, error));
    } else problems.runFound();
    if (item.kind === 'crashed') await view.crashed(toCrashedRun(item, path));
    if (item.kind !== 'trace') continue;
    const { line, format, provenance } = item;
    const trace = { ...item.trace, id: lastingId(item.trace.id, format, provenance) };
    const digest = sha256Of(JSON.stringify(trace.steps));
    now.set(trace.id, digest);
    if (before.get(trace.id) === digest) continue;
    const run: Run = { trace, file: path, line, format, provenance, record: null };
    try {
      const report = await scorer.evaluate(trace);
      await view.scored({ report, run, fields: fieldsOf(run) });
    } catch (error) {
      if (!(error instanceof TraceValidationError)) throw error;
      problems.add({ file: path, line, reason: invalidReason(error) });
    }
  }
  // A half-written last line is read again once it is complete.
  if (now.size === 0 && halfWritten !== undefined) {
    problems.add(describeRefusal(path, halfWritten));
  }
  problems.end();
  seen.set(path, now);
}

/**
 * Returns an id that stays stable while a run continues. Ids of imported traces change with the
 * content, so the run would be compared with its own earlier part.
 */
function lastingId(id: string, format: string, provenance: Provenance | undefined): string {
  const names = Object.values(provenance?.source ?? {});
  return names.length === 0 ? id : ['kp:trace', format, ...names].join(':');
}

function parseSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 3600) return value;
  throw new InvalidArgumentError('expected a number of seconds from 0 to 3,600');
}
