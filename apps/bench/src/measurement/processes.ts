import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';

/** Median milliseconds from the start of a process to its end. */
export type StartTimes<Program extends string> = Readonly<Record<Program, number>>;

/** Starts each program in turn, `rounds` times. */
export async function measureStarts<Program extends string>(
  programs: readonly Program[],
  rounds: number,
): Promise<StartTimes<Program>> {
  const samples = programs.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, program] of programs.entries()) {
      const startedAt = performance.now();
      await runProgram(`fresh/${program}`);
      samples[index]?.push(performance.now() - startedAt);
    }
  }
  const entries = programs.map((program, index) => [program, median(samples[index] ?? [])]);
  return Object.fromEntries(entries) as StartTimes<Program>;
}

/** Options for running a program of this app. */
export interface ProgramOptions {
  /** CPU to which it is pinned, if the system supports it (`taskset`). */
  readonly cpu?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Aborted to end the program. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a program of this app in a separate process with the current runtime and flags.
 *
 * @param program - file name without extension, in the folder `src`.
 */
export function startProgram(
  program: string,
  words: readonly string[],
  { cpu, env, signal }: ProgramOptions = {},
): ChildProcessWithoutNullStreams {
  // With `-e`, the flags would run that program again.
  const flags = process.execArgv.filter((flag) => flag.startsWith('--'));
  const command = [process.execPath, ...flags, programFile(program), ...words];
  if (cpu !== undefined && canPin()) command.unshift('taskset', '-c', String(cpu));
  const [file = '', ...rest] = command;
  return spawn(file, rest, { env: { ...process.env, ...env }, signal, killSignal: 'SIGKILL' });
}

/**
 * Runs a program until it exits.
 *
 * @returns Its standard output.
 * @throws Error with its standard error if it does not exit with 0.
 */
export async function runProgram(
  program: string,
  words: readonly string[] = [],
  options?: ProgramOptions,
): Promise<string> {
  const child = startProgram(program, words, options);
  child.stdin.end();
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (exitCode === 0) return output;
  throw new Error(`${program}: expected exit 0, received ${exitCode}\n${errors}`);
}

let pins: boolean | undefined;

/** Whether this system can pin processes to one CPU. */
export function canPin(): boolean {
  pins ??= spawnSync('taskset', ['-c', '0', 'true']).status === 0;
  return pins;
}

function programFile(program: string): string {
  return fileURLToPath(new URL(`../${program}.ts`, import.meta.url));
}
