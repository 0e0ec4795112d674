import { redactUrls, sha256 } from '@kp/foundation';
import { type Command, Option } from 'commander';
import { conflict, wrongUse } from '../output/errors.ts';
import { EXIT, type ExitStatus } from '../output/exit.ts';
import { createOutput } from '../output/output.ts';
import { renderTable } from '../output/table.ts';
import { listenForInterrupts, say } from '../output/terminal.ts';
import { count, oneLine } from '../output/text.ts';
import { openRuns } from '../runs/open-runs.ts';
import { addInputOptions, type InputFlags, parseCount } from '../runs/options.ts';
import { addScorerOptions, createChosenScorer, type ScorerFlags } from '../scoring/scoring.ts';
import {
  DEFAULT_LEASE_SECONDS,
  DEFAULT_TRIES,
  openWorkQueue,
  type WorkQueue,
} from '../work/work-queue.ts';
import { runWorker } from '../work/worker.ts';

interface WorkFlags extends ScorerFlags, InputFlags {
  readonly queue: string;
  readonly add?: readonly string[];
  readonly failed?: boolean;
  readonly retryFailed?: boolean;
  readonly drain?: boolean;
  readonly batch: number;
  readonly lease: number;
  readonly tries: number;
  readonly memoryTimeout: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const DEFAULT_BATCH = 64;
const DEFAULT_MEMORY_SECONDS = 10;
/** After a signal: when unfinished traces are put back, and when the process ends at the latest. */
const FINISH_MS = 12_000;
// Containers and systemd send SIGKILL after 30 s.
const EXIT_MS = 25_000;

export function addWorkCommand(program: Command): void {
  const command = program
    .command('work')
    .summary('score traces from a Postgres queue, with any number of workers')
    .description(
      'Scores traces from a queue in Postgres and writes one report for each trace into the table kp_work.reports, also if a trace is delivered twice. You can start any number of workers, on any machine. Needs the packages pg-boss and pg.',
    )
    .addOption(new Option('--queue <url>', 'postgres://…').makeOptionMandatory())
    .option('--add <files...>', 'add the traces of recordings to the queue, and end')
    .option('--failed', 'list the traces that were given up, with the reason, and end')
    .option('--retry-failed', 'put the traces that were given up back into the queue, and end')
    .option('--drain', 'end when all traces are scored, also those that other workers have')
    .option('--batch <count>', 'how many traces are taken at once', parseCount, DEFAULT_BATCH)
    .option(
      '--memory-timeout <seconds>',
      'how long the memory may take to answer before the worker waits for it',
      parseCount,
      DEFAULT_MEMORY_SECONDS,
    )
    .option(
      '--lease <seconds>',
      'with --add: when a trace whose worker was killed is given to another one',
      parseCount,
      DEFAULT_LEASE_SECONDS,
    )
    .option(
      '--tries <count>',
      'with --add: after how many tries a trace is given up',
      parseCount,
      DEFAULT_TRIES,
    )
    .option('--json', 'with --failed: one JSON object a line')
    .option('-q, --quiet', 'print errors only');
  addScorerOptions(command);
  addInputOptions(command);
  command.addHelpText(
    'after',
    `
Examples:
  kp work --queue postgres://localhost/kp --add runs/
  kp work --queue postgres://localhost/kp            keeps the memory there as well
  kp work --queue postgres://localhost/kp --memory redis://localhost
  kp work --queue postgres://localhost/kp --failed

While the queue or the memory cannot be reached, a worker waits. Ctrl-C and SIGTERM end it when the
traces that it has are scored, or after ${FINISH_MS / 1000} s, when it puts them back.

Exit status with --drain: 0 all are scored, 1 some were given up, 3 some are not valid.`,
  );
  command.action(async (flags: WorkFlags) => {
    process.exitCode = await work(flags);
  });
}

async function work(flags: WorkFlags): Promise<ExitStatus> {
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
    return await scoreAll(queue, flags);
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

async function scoreAll(queue: WorkQueue, flags: WorkFlags): Promise<ExitStatus> {
  // With a memory of its own, each worker would call every trace new.
  const memory = flags.embedder === 'none' ? undefined : (flags.memory ?? flags.queue);
  const chosen = await createChosenScorer({ ...flags, ...(memory && { memory }) });
  const interrupts = listenForInterrupts();
  const abort = new AbortController();
  interrupts.signal.addEventListener('abort', () => {
    setTimeout(() => abort.abort(), FINISH_MS).unref();
    setTimeout(() => {
      say('kp: a server does not answer; the traces of this worker return after their lease');
      process.exit(EXIT.interrupted);
    }, EXIT_MS).unref();
  });
  try {
    const { scored, invalid } = await runWorker({
      queue,
      scorer: chosen.scorer,
      checkMemory: chosen.checkMemory,
      batchSize: flags.batch,
      drain: flags.drain === true,
      isQuiet: flags.quiet === true,
      stopped: interrupts.signal,
      aborted: abort.signal,
    });
    if (flags.quiet !== true) say(`${count(scored, 'trace')} scored`);
    if (flags.drain !== true || interrupts.signal.aborted) return EXIT.done;
    const failed = await queue.failedCount();
    if (failed > 0) {
      say(`kp: ${count(failed, 'trace')} could not be scored; kp work --failed lists the reasons`);
      return EXIT.no;
    }
    return invalid > 0 ? EXIT.problems : EXIT.done;
  } finally {
    interrupts.release();
    await chosen.close();
  }
}
