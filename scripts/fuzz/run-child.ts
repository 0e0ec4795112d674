import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunOutcome } from './limits.ts';

export interface ChildRun {
  readonly target: string;
  readonly seed: number;
  readonly milliseconds: number;
  /** After which on one input the process is ended. */
  readonly hangMs: number;
  /** The program that tries the inputs. */
  readonly script?: string;
}

export interface ChildResult {
  /** How many inputs were tried; undefined when the process ended before it could say. */
  readonly inputs: number | undefined;
  readonly crash: { readonly input: Uint8Array; readonly reason: string } | undefined;
}

const POLL_MS = 250;
/** Of the time on the clock, how much of a processor's one has to have that hangs while it computes. */
const WORK = 0.2;
/** How much longer is waited for one that had less. */
const PATIENCE = 5;
const TICK_MS = 10;

/** Tries inputs in a separate process, which may throw, hang, die or take all memory. */
export async function runChild(options: ChildRun): Promise<ChildResult> {
  const { target, seed, milliseconds, hangMs } = options;
  const script = options.script ?? join(import.meta.dir, 'child.ts');
  const folder = await mkdtemp(join(tmpdir(), 'kp-fuzz-'));
  const current = join(folder, 'current.bin');
  try {
    const command = [process.execPath, script, target, folder, String(seed), String(milliseconds)];
    // Where it may be ended at any moment, its files go with the folder.
    const env = { ...process.env, TMPDIR: folder };
    const child = Bun.spawn(command, { env, stdio: ['ignore', 'inherit', 'pipe'] });
    const said = new Response(child.stderr).text();
    let hangs = false;
    let begun = { at: 0, processor: 0 };
    const watch = setInterval(async () => {
      // Before the first input it is only starting.
      const found = await stat(current).catch(() => undefined);
      if (found === undefined) return;
      if (found.mtimeMs !== begun.at)
        begun = { at: found.mtimeMs, processor: processorMs(child.pid) };
      const waited = Date.now() - found.mtimeMs;
      const computed = processorMs(child.pid) - begun.processor;
      // A machine that has much else to do makes no input hang.
      if (waited <= hangMs || (computed < hangMs * WORK && waited <= hangMs * PATIENCE)) return;
      hangs = true;
      child.kill('SIGKILL');
    }, POLL_MS);
    const exitCode = await child.exited;
    clearInterval(watch);
    const outcome = Bun.file(join(folder, 'outcome.json'));
    const input = async (): Promise<Uint8Array> => {
      const file = Bun.file(current);
      return (await file.exists()) ? file.bytes() : new Uint8Array();
    };
    if (!hangs && (await outcome.exists())) {
      const { inputs, failure }: RunOutcome = await outcome.json();
      return {
        inputs,
        crash: failure === '' ? undefined : { input: await input(), reason: failure },
      };
    }
    const reason = hangs
      ? `hang: no answer within ${hangMs} ms`
      : `exit ${exitCode}\n${await said}`;
    return { inputs: undefined, crash: { input: await input(), reason } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Time of a processor that a process has had, where the system tells; Infinity elsewhere. */
function processorMs(pid: number): number {
  try {
    // Behind the name of the program, which may hold anything: the 14th and 15th field of all.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
