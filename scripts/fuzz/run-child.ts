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

/** Tries inputs in a process of its own, which may throw, hang, die or take all memory. */
export async function runChild(options: ChildRun): Promise<ChildResult> {
  const { target, seed, milliseconds, hangMs } = options;
  const script = options.script ?? join(import.meta.dir, 'child.ts');
  const folder = await mkdtemp(join(tmpdir(), 'kp-fuzz-'));
  const current = join(folder, 'current.bin');
  try {
    const command = [process.execPath, script, target, folder, String(seed), String(milliseconds)];
    const child = Bun.spawn(command, { stdio: ['ignore', 'inherit', 'pipe'] });
    const said = new Response(child.stderr).text();
    let hangs = false;
    const watch = setInterval(async () => {
      // Before the first input it is only starting.
      const found = await stat(current).catch(() => undefined);
      if (found === undefined || Date.now() - found.mtimeMs <= hangMs) return;
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
