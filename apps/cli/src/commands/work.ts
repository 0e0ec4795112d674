import { setTimeout } from 'node:timers/promises';
import { parseTrace, type Scorer } from '@knowledgepulse/sdk';
import { redactUrls } from '@kp/foundation';
import { type Command, Option } from 'commander';
import { wrongUse } from '../errors.ts';
import { EXIT, type ExitStatus } from '../exit.ts';
import { openRuns } from '../open-runs.ts';
import { addInputOptions, type InputFlags, parseCount } from '../options.ts';
import { addScorerOptions, createChosenScorer, type ScorerFlags } from '../scoring.ts';
import { say } from '../terminal.ts';
import { count } from '../text.ts';
import { type Outcome, openWorkQueue, type QueuedTrace, type WorkQueue } from '../work-queue.ts';

interface WorkFlags extends ScorerFlags, InputFlags {
  readonly queue: string;
  readonly add?: readonly string[];
  readonly drain?: boolean;
  readonly batch: number;
  readonly lease: number;
  readonly quiet?: boolean;
}

const IDLE_MS = 500;
const DEFAULT_BATCH = 64;
const DEFAULT_LEASE_SECONDS = 120;

export function addWorkCommand(program: Command): void {
  const command = program
    .command('work')
    .summary('score traces from a Postgres queue, with as many workers as you like')
    .description(
      'Scores traces from a queue in Postgres into the table kp_work.reports: one report a trace, whatever is delivered twice. Start it as often as you like, on any machine. Needs the packages pg-boss and pg.',
    )
    .addOption(new Option('--queue <url>', 'postgres://…').makeOptionMandatory())
    .option('--add <files...>', 'put the traces of recordings into the queue, and end')
    .option('--drain', 'end when all are scored, those too that a killed worker has')
    .option('--batch <count>', 'how many traces are taken at once', parseCount, DEFAULT_BATCH)
    .option(
      '--lease <seconds>',
      'with --add: after which a trace comes again whose worker was killed',
      parseCount,
      DEFAULT_LEASE_SECONDS,
    )
    .option('-q, --quiet', 'no messages but errors');
  addScorerOptions(command);
  addInputOptions(command);
  command.addHelpText(
    'after',
    `
Examples:
  kp work --queue postgres://localhost/kp --add runs/
  kp work --queue postgres://localhost/kp            the memory is there as well
  kp work --queue postgres://localhost/kp --memory redis://localhost

Ctrl-C and SIGTERM end it when the traces that it has are scored.`,
  );
  command.action(async (flags: WorkFlags) => {
    process.exitCode = await work(flags);
  });
}

async function work(flags: WorkFlags): Promise<ExitStatus> {
  if (!/^postgres(ql)?:\/\//.test(flags.queue)) {
    throw wrongUse('--queue', 'postgres://…', JSON.stringify(redactUrls(flags.queue)));
  }
  const queue = await openWorkQueue(flags.queue);
  try {
    return flags.add === undefined
      ? await scoreAll(queue, flags)
      : await addAll(queue, flags.add, flags);
  } finally {
    await queue.close();
  }
}

const ADDED_AT_ONCE = 16;

async function addAll(
  queue: WorkQueue,
  files: readonly string[],
  flags: WorkFlags,
): Promise<ExitStatus> {
  const { terminal, runs, amount, close } = await openRuns(files, flags);
  let adding: Promise<void>[] = [];
  for await (const { trace } of runs) {
    adding.push(queue.add(trace, flags.lease));
    if (adding.length < ADDED_AT_ONCE) continue;
    await Promise.all(adding);
    adding = [];
  }
  await Promise.all(adding);
  const status = close();
  terminal.progress.message(`${count(amount(), 'trace')} added to the queue`);
  return status;
}

async function scoreAll(queue: WorkQueue, flags: WorkFlags): Promise<ExitStatus> {
  // A memory that only this worker knew would call every trace new once a worker.
  const memory = flags.embedder === 'none' ? undefined : (flags.memory ?? flags.queue);
  const { scorer, close } = await createChosenScorer({ ...flags, ...(memory && { memory }) });
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let settled = 0;
  let isWaiting = false;
  try {
    while (!stopped.signal.aborted) {
      const jobs = await queue.take(flags.batch);
      if (jobs.length > 0) {
        settled += await scoreBatch(queue, scorer, jobs);
      } else {
        const left = flags.drain === true ? await queue.unsettled() : undefined;
        if (left === 0) break;
        if (left !== undefined && !isWaiting && flags.quiet !== true) {
          say(`waiting for ${count(left, 'trace')} that another worker has`);
          isWaiting = true;
        }
        await setTimeout(IDLE_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await close();
  }
  if (flags.quiet !== true) say(`${count(settled, 'trace')} scored`);
  return EXIT.done;
}

/** @returns how many are done with. */
async function scoreBatch(
  queue: WorkQueue,
  scorer: Scorer,
  jobs: readonly QueuedTrace[],
): Promise<number> {
  const outcomes: Outcome[] = [];
  const unanswered: QueuedTrace[] = [];
  await Promise.all(
    jobs.map(async (job) => {
      const outcome = await outcomeOf(scorer, job);
      if (outcome === 'try again') unanswered.push(job);
      else outcomes.push(outcome);
    }),
  );
  await queue.settle(outcomes);
  await queue.giveBack(unanswered, 'the memory or the embedder did not answer');
  return outcomes.length;
}

async function outcomeOf(scorer: Scorer, job: QueuedTrace): Promise<Outcome | 'try again'> {
  let traceId = `job:${job.id}`;
  try {
    const trace = parseTrace(job.trace);
    traceId = trace.id;
    const report = await scorer.evaluate(trace);
    // A score that stands for no comparison is no report: it would stay for good.
    const { source } = report.novelty;
    if (source === 'memory_failed' || source === 'embedder_failed') return 'try again';
    return { job, traceId, report };
  } catch (error) {
    return { job, traceId, problem: (error as Error).message };
  }
}
