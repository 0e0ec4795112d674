import { sha256 } from '@kp/foundation';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { conflict, wrongUse } from '../output/errors.ts';
import { EXIT, type ExitStatus } from '../output/exit.ts';
import { addHelp } from '../output/help.ts';
import { type LogFormat, setLogFormat } from '../output/log-lines.ts';
import { createOutput } from '../output/output.ts';
import { renderTable } from '../output/table.ts';
import { listenForInterrupts, say } from '../output/terminal.ts';
import { count, oneLine } from '../output/text.ts';
import { parseDuration } from '../runs/duration.ts';
import { openRuns } from '../runs/open-runs.ts';
import { addInputOptions, type InputFlags, parseCount } from '../runs/options.ts';
import { addScorerOptions } from '../scoring/scoring.ts';
import {
  checkSchema,
  DEFAULT_LEASE_SECONDS,
  DEFAULT_QUEUE,
  DEFAULT_SCHEMA,
  DEFAULT_TRIES,
  type QueueSettings,
  queueSettings,
} from '../work/queue-settings.ts';
import { FINISH_MS, scoreQueue, type WorkerFlags } from '../work/score-queue.ts';
import { whenReachable } from '../work/when-reachable.ts';
import { openWorkQueue, type WorkQueue } from '../work/work-queue.ts';

interface WorkFlags extends WorkerFlags, InputFlags {
  readonly add?: readonly string[];
  readonly failed?: boolean;
  readonly retryFailed?: boolean;
  readonly prune?: number;
  readonly dryRun?: boolean;
  readonly moveFrom?: string;
  readonly lease: number;
  readonly tries: number;
  readonly priority: number;
  readonly keepPayloads?: number;
  readonly queueSchema: string;
  readonly queueName: string;
  readonly json?: boolean;
  readonly log: LogFormat;
}

const DEFAULT_BATCH = 64;
const DEFAULT_MEMORY_SECONDS = 10;

export function addWorkCommand(program: Command, version: string): void {
  const command = program
    .command('work')
    .description(
      'Scores runs from a Postgres queue and writes one report per run to the table kp_work.reports. Computes the shards of kp corpus run --queue as well. Start any number of workers, on any machine. Needs the packages pg-boss and pg.',
    )
    .addOption(
      new Option('--queue <url>', 'the queue: postgres://…').env('KP_QUEUE').makeOptionMandatory(),
    )
    .option('--add <files...>', 'add recordings to the queue, then exit')
    .option('--failed', 'list runs and shards that failed, with the reasons, then exit')
    .option('--retry-failed', 'put failed runs and shards back into the queue, then exit')
    .option('--drain', 'exit when all runs and shards are done, including those of other workers')
    .option('--batch <count>', 'take this many runs at once', parseCount, DEFAULT_BATCH)
    .option(
      '--memory-timeout <seconds>',
      'pause the worker if the memory does not answer within this time',
      parseCount,
      DEFAULT_MEMORY_SECONDS,
    )
    .option(
      '--lease <seconds>',
      'with --add: give a run to another worker if its worker does not finish in this time',
      parseCount,
      DEFAULT_LEASE_SECONDS,
    )
    .option(
      '--tries <count>',
      'with --add: give up a run after this many tries',
      parseCount,
      DEFAULT_TRIES,
    )
    .option(
      '--priority <number>',
      'with --add: take runs of a higher number first',
      parsePriority,
      0,
    )
    .option(
      '--keep-payloads <duration>',
      'with --add: keep the text of a scored run for this time, such as 1h (default: 7d)',
      parseDuration,
    )
    .option(
      '--time-limit <duration>',
      'count a try as failed if a run takes longer, such as 30s',
      parseDuration,
    )
    .option(
      '--prune <duration>',
      'delete reports, and texts of scored or failed runs, that are older, then exit',
      parseDuration,
    )
    .option('--dry-run', 'with --prune: only count them')
    .option('--queue-name <name>', 'name of the queue', DEFAULT_QUEUE)
    .option('--queue-schema <name>', 'schema of its tables', DEFAULT_SCHEMA)
    .option('--move-from <schema>', 'move runs from the tables of pg-boss 10, then exit')
    .option('--json', 'with --failed: print JSON, one run or shard per line')
    .option('--http <address>', 'serve /healthz, /readyz and /metrics, for example on :9464')
    .addOption(
      new Option('--log <format>', 'format of messages on standard error')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('-q, --quiet', 'print only errors');
  addScorerOptions(command);
  // Passwords in arguments are visible in the process list, so also accept an environment variable.
  command.options.find(({ long }) => long === '--memory')?.env('KP_MEMORY');
  addInputOptions(command);
  addHelp(command, {
    examples: [
      ['kp work --queue postgres://localhost/kp --add runs/', 'fill the queue'],
      ['kp work --queue postgres://localhost/kp', 'start a worker'],
      ['kp work --queue postgres://localhost/kp --failed', 'list failures'],
    ],
    notes: [
      `While the queue or the memory cannot be reached, a worker waits. After Ctrl-C or SIGTERM, it finishes the runs that it has, or puts them back after ${FINISH_MS / 1000} s. A run that is delivered twice still gets one report. A shard is put back at once.`,
      'The variables KP_QUEUE and KP_MEMORY stand for --queue and --memory. --http needs the package prom-client.',
      'With --drain, exit status 3 means that some runs are not valid.',
    ],
    no: 'with --drain: at least one run or shard was given up',
  });
  command.action(async (flags: WorkFlags) => {
    process.exitCode = await work(flags, version);
  });
}

async function work(flags: WorkFlags, version: string): Promise<ExitStatus> {
  setLogFormat(flags.log);
  const settings = queueSettings(flags.queue, flags.queueSchema, flags.queueName);
  const tasks = ['add', 'failed', 'retryFailed', 'drain', 'prune', 'moveFrom'] as const;
  const [first, second] = tasks.filter((name) => flags[name] !== undefined).map(optionOf);
  if (first !== undefined && second !== undefined) throw conflict(first, second);
  if (flags.dryRun === true && flags.prune === undefined) {
    throw wrongUse('--dry-run', '--prune', 'none');
  }
  const isWorker = first === undefined || flags.drain === true;
  const from = flags.moveFrom && checkSchema('--move-from', flags.moveFrom);
  const queue = await openReachable(settings, isWorker);
  if (queue === undefined) return EXIT.done;
  try {
    if (flags.add !== undefined) return await addAll(queue, flags.add, flags);
    if (flags.failed === true) return await listFailed(queue, flags);
    if (flags.retryFailed === true) return await retryFailed(queue, flags);
    if (flags.prune !== undefined) return await prune(queue, flags.prune, flags);
    if (from !== undefined) {
      const moved = await queue.moveFrom(from);
      say(`${count(moved, 'trace')} moved from ${from}`);
      return EXIT.done;
    }
    return await scoreQueue(queue, flags, version);
  } finally {
    await queue.close();
  }
}

/**
 * @param isWorker - waits while the queue cannot be reached.
 * @returns undefined if the worker was stopped meanwhile.
 */
async function openReachable(
  settings: QueueSettings,
  isWorker: boolean,
): Promise<WorkQueue | undefined> {
  if (!isWorker) return openWorkQueue(settings);
  const { signal, release } = listenForInterrupts();
  try {
    return await whenReachable('--queue', { stopped: signal, aborted: signal }, () =>
      openWorkQueue(settings),
    );
  } finally {
    release();
  }
}

function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

const ADDED_AT_ONCE = 16;

async function addAll(
  queue: WorkQueue,
  files: readonly string[],
  flags: WorkFlags,
): Promise<ExitStatus> {
  const { terminal, runs, close } = await openRuns(files, flags);
  const { lease: leaseSeconds, tries, priority, keepPayloads } = flags;
  const keepSeconds = keepPayloads && Math.ceil(keepPayloads / 1000);
  const options = { leaseSeconds, tries, priority, ...(keepSeconds && { keepSeconds }) };
  const digests = new Map<unknown, string>();
  let batch: unknown[] = [];
  let added = 0;
  const send = async (): Promise<void> => {
    if (batch.length > 0) await queue.add(batch, options);
    added += batch.length;
    batch = [];
  };
  try {
    for await (const { trace, file, line } of runs) {
      const id: unknown = Reflect.get(Object(trace), 'id');
      const digest = await sha256(JSON.stringify(trace));
      if ((digests.get(id) ?? digest) !== digest) {
        terminal.problem(
          `${file}:${line}: trace id: expected one that no other run has, received ${JSON.stringify(id)}; not added`,
        );
        continue;
      }
      digests.set(id, digest);
      batch.push(trace);
      if (batch.length === ADDED_AT_ONCE) await send();
    }
    await send();
  } finally {
    terminal.progress.message(`${count(added, 'trace')} added to the queue`);
  }
  return close();
}

async function listFailed(queue: WorkQueue, { json }: WorkFlags): Promise<ExitStatus> {
  const output = createOutput(process.stdout);
  const rows: string[][] = [];
  for await (const failed of queue.failed()) {
    const { traceId, failedAt, tries, reason, id } = failed;
    if (json === true) await output.write(`${JSON.stringify(failed)}\n`);
    else
      rows.push([
        oneLine(traceId ?? `job:${id}`),
        failedAt.toISOString(),
        `${tries}`,
        oneLine(reason),
      ]);
  }
  for await (const shard of queue.shards.failed()) {
    const { task, store, failedAt, tries, reason, id } = shard;
    if (json === true) await output.write(`${JSON.stringify(shard)}\n`);
    else {
      const name = task === null ? `job:${id}` : `${task} of ${store}`;
      rows.push([oneLine(name), failedAt.toISOString(), `${tries}`, oneLine(reason)]);
    }
  }
  if (rows.length > 0) {
    const headings = ['trace or shard', 'failed', 'tries', 'reason'].map((heading) => ({
      heading,
    }));
    await output.write(renderTable(headings, rows));
  }
  await output.settle();
  return EXIT.done;
}

async function retryFailed(queue: WorkQueue, { quiet }: WorkFlags): Promise<ExitStatus> {
  const moved = await queue.retryFailed();
  const shards = await queue.shards.retryFailed();
  const also = shards === 0 ? '' : ` and ${count(shards, 'shard')}`;
  if (quiet !== true) say(`${count(moved, 'trace')}${also} put back into the queue`);
  return EXIT.done;
}

async function prune(
  queue: WorkQueue,
  ageMs: number,
  { dryRun, quiet }: WorkFlags,
): Promise<ExitStatus> {
  const { reports, payloads } = await queue.prune(ageMs / 1000, dryRun === true);
  const done = dryRun === true ? 'would be deleted' : 'deleted';
  if (quiet !== true) say(`${count(reports, 'report')} and ${count(payloads, 'payload')} ${done}`);
  return EXIT.done;
}

function parsePriority(text: string): number {
  if (/^-?\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected an integer of at most 6 digits');
}
