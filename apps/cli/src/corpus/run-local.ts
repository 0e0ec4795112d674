import { spawn } from 'node:child_process';
import { OutputError, UsageError } from '../output/errors.ts';
import { EXIT, type ExitStatus, worstStatus } from '../output/exit.ts';
import { say } from '../output/terminal.ts';
import { seconds as timeText } from '../output/text.ts';

/** A stage command for a child process. */
export interface StageCommand {
  /** Name for messages, such as `map-00003-of-00016`. */
  readonly name: string;
  /** Command-line arguments after `kp`. */
  readonly words: readonly string[];
}

/** Runs stage commands. */
export interface Runner {
  /**
   * Runs all commands; they may run concurrently and in any order.
   *
   * @returns the worst exit status.
   * @throws UsageError or OutputError if a command fails.
   */
  run(stage: string, commands: readonly StageCommand[]): Promise<ExitStatus>;
}

const MOST_TRIES = 4;

/**
 * Creates a runner with child processes on this machine, so that memory is bounded per process and a
 * killed process costs one task. A child that was killed by a signal is restarted, up to a few
 * times.
 *
 * @param jobs - number of processes at once.
 */
export function createLocalRunner(jobs: number, quiet: boolean, signal: AbortSignal): Runner {
  const tell = (message: string): void => {
    if (!quiet) say(message);
  };
  return {
    async run(stage, commands) {
      const statuses: ExitStatus[] = [];
      const waiting = commands.toReversed();
      const startedAt = performance.now();
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      async function work(): Promise<void> {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          statuses.push(await runWithRetries(next, either, tell));
          const seconds = (performance.now() - startedAt) / 1000;
          const left = (seconds / statuses.length) * (commands.length - statuses.length);
          const estimate = left > 0 ? `, about ${timeText(left)} left` : '';
          tell(`${stage}: ${statuses.length} of ${commands.length}${estimate}`);
        }
      }
      const workers = Array.from({ length: Math.min(jobs, commands.length) }, async () => {
        try {
          await work();
        } catch (error) {
          stop.abort(error);
          throw error;
        }
      });
      const results = await Promise.allSettled(workers);
      signal.throwIfAborted();
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw stop.signal.reason;
      return worstStatus(statuses);
    },
  };
}

async function runWithRetries(
  { name, words }: StageCommand,
  signal: AbortSignal,
  tell: (message: string) => void,
): Promise<ExitStatus> {
  for (let tries = 1; ; tries++) {
    const { status, killedBy, message } = await runChild(words, signal);
    signal.throwIfAborted();
    if (killedBy === null) return statusOf(name, status, message);
    if (tries === MOST_TRIES) {
      throw new OutputError({
        subject: name,
        expected: 'a process that ends by itself',
        received: `${MOST_TRIES} that ${killedBy} ended`,
        remedy: 'use more shards if memory ran out',
      });
    }
    tell(`warning ${name} was ended by ${killedBy}; started again (${tries} of ${MOST_TRIES - 1})`);
  }
}

function statusOf(name: string, status: number | null, message: string): ExitStatus {
  if (status === EXIT.done || status === EXIT.problems) return status;
  const last = lastMessage(message);
  const details = { subject: name, expected: 'to be complete', received: `exit status ${status}` };
  if (status === EXIT.unwritten) throw new OutputError({ ...details, received: last });
  throw new UsageError(details, last === '' ? undefined : last);
}

/** The last line of what a child process wrote to standard error. */
export function lastMessage(message: string): string {
  return message.trim().split('\n').at(-1)?.replace(/^kp: /, '') ?? '';
}

/** How a child process ended. */
export interface EndedChild {
  readonly status: number | null;
  readonly killedBy: NodeJS.Signals | null;
  /** What it wrote to standard error last. */
  readonly message: string;
}

/**
 * Runs `kp` in a child process, which ends when the signal is aborted.
 *
 * @param folder - in which it runs. Default: that of this process.
 */
export function runChild(
  words: readonly string[],
  signal: AbortSignal,
  folder?: string,
): Promise<EndedChild> {
  const [program, ...before] = ownCommand();
  return new Promise((resolve, reject) => {
    const child = spawn(program as string, [...before, ...words], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let message = '';
    const stop = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop);
    child.stderr.on('data', (chunk: Buffer) => {
      process.stderr.write(chunk);
      message = `${message}${chunk.toString()}`.slice(-LONGEST_MESSAGE);
    });
    child.on('error', reject);
    child.on('close', (status, killedBy) => {
      signal.removeEventListener('abort', stop);
      resolve({ status, killedBy, message });
    });
  });
}

const LONGEST_MESSAGE = 4_000;

/** Returns the command line of this program; a compiled program has no script. */
function ownCommand(): readonly string[] {
  const script = process.argv[1] ?? '';
  const isCompiled = script.includes('$bunfs') || script.includes('~BUN');
  return isCompiled ? [process.execPath] : [process.execPath, ...process.execArgv, script];
}
