import { join } from 'node:path';

export interface KpResult {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

export const examples: string = join(import.meta.dir, '../../../examples/traces');
export const command: readonly string[] = [
  process.execPath,
  join(import.meta.dir, '../src/main.ts'),
];

/** Runs `kp` with these words; `input` is its standard input. */
export async function runKp(
  words: readonly string[],
  input?: string | Uint8Array<ArrayBuffer>,
): Promise<KpResult> {
  const child = Bun.spawn([...command, ...words], {
    stdin: input === undefined ? 'ignore' : new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, NO_COLOR: '1' },
  });
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, output, errors };
}
