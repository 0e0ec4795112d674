import { redactUrls, sha256 } from '@kp/foundation';
import { type Command, Option } from 'commander';
import { conflict, wrongUse } from '../output/errors.ts';
import { EXIT, type ExitStatus } from '../output/exit.ts';
import { addHelp } from '../output/help.ts';
import { type LogFormat, setLogFormat } from '../output/log-lines.ts';
import { createOutput } from '../output/output.ts';
import { renderTable } from '../output/table.ts';
import { say } from '../output/terminal.ts';
import { count, oneLine } from '../output/text.ts';
import { openRuns } from '../runs/open-runs.ts';
import { addInputOptions, type InputFlags, parseCount } from '../runs/options.ts';
import { addScorerOptions } from '../scoring/scoring.ts';
import { FINISH_MS, scoreQueue, type WorkerFlags } from '../work/score-queue.ts';
import {
  DEFAULT_LEASE_SECONDS,
  DEFAULT_TRIES,
  openWorkQueue,
  type WorkQueue,
} from '../work/work-queue.ts';

interface WorkFlags extends WorkerFlags, InputFlags {
  readonly add?: readonly string[];
  readonly failed?: boolean;
  readonly retryFailed?: boolean;
  readonly lease: number;
  readonly tries: number;
  readonly json?: boolean;
  readonly log: LogFormat;
}

const DEFAULT_BATCH = 64;
const DEFAULT_MEMORY_SECONDS = 10;

export function addWorkCommand(program: Command, version: string): void {
  const command = program
    .command('work')
    .description(
      'Scores runs from a Postgres queue and writes one report per run to the table kp_work.reports. Start any number of workers, on any machine. Needs the packages pg-boss and pg.',
    )
    .addOption(
      new Option('--queue <url>', 'the queue: postgres://…').env('KP_QUEUE').makeOptionMandatory(),
    )
    .option('--add <files...>', 'add recordings to the queue, then exit')
    .option('--failed', 'list runs that could not be scored, and why, then exit')
    .option('--retry-failed', 'put these runs back into the queue, then exit')
    .option('--drain', 'exit when all runs are scored, including those of other workers')
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
    .option('--json', 'with --failed: print JSON, one run per line')
    .option('--http <address>', 'serve /healthz, /readyz and /metrics, for example on :9464')
    .addOption(
      new Option('--log <format>', 'format of messages on standard error')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('-q, --quiet', 'print only errors');
  addScorerOptions(command);
  // In a list of processes, anybody can read a password.
  command.options.find(({ long }) => long === '--memory')?.env('KP_MEMORY');
  addInputOptions(command);
  addHelp(command, {
    examples: [
      ['kp work --queue postgres://localhost/kp --add runs/', 'fill the queue'],
      ['kp work --queue postgres://localhost/kp', 'start a worker'],
      ['kp work --queue postgres://localhost/kp --failed', 'list failures'],
    ],
    notes: [
      `While the queue or the memory cannot be reached, a worker waits. After Ctrl-C or SIGTERM, it finishes the runs that it has, or puts them back after ${FINISH_MS / 1000} s. A run that is delivered twice still gets one report.`,
      'The variables KP_QUEUE and KP_MEMORY stand for --queue and --memory. --http needs the package prom-client.',
      'With --drain, exit status 3 means that some runs are not valid.',
    ],
    no: 'with --drain: at least one run was given up',
  });
  command.action(async (flags: WorkFlags) => {
    process.exitCode = await work(flags, version);
  });
}

async function work(flags: WorkFlags, version: string): Promise<ExitStatus> {
  setLogFormat(flags.log);
  if (!/^postgres(ql)?:\/\//.test(flags.queue)) {
    throw wrongUse('--queue', 'postgres://…', JSON.stringify(redactUrls(flags.queue)));
  }
  const tasks = ['add', 'failed', 'retryFailed', 'drain'] as const;
  const [first, second] = tasks.filter((name) => flags[name] !== undefined).map(optionOf);
  if (first !== undefined && second !== undefined) throw conflict(first, second);
  const queue = await openWorkQueue(flags.queue);
  try {
    if (flags.add !== undefined) return await addAll(queue, flags.add, flags);
    if (flags.failed === true) return await listFailed(queue, flags);
    if (flags.retryFailed === true) return await retryFailed(queue, flags);
    return await scoreQueue(queue, flags, version);
  } finally {
    await queue.close();
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
  const options = { leaseSeconds: flags.lease, tries: flags.tries };
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
  if (rows.length > 0) {
    const headings = ['trace', 'failed', 'tries', 'reason'].map((heading) => ({ heading }));
    await output.write(renderTable(headings, rows));
  }
  await output.settle();
  return EXIT.done;
}

async function retryFailed(queue: WorkQueue, { quiet }: WorkFlags): Promise<ExitStatus> {
  const moved = await queue.retryFailed();
  if (quiet !== true) say(`${count(moved, 'trace')} put back into the queue`);
  return EXIT.done;
}
