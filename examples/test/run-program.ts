export interface ProgramResult {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program: with Bun against the sources of the packages, with Node against what was built from them. */
export async function runProgram(
  path: string,
  cwd?: string,
  runtime: string = process.execPath,
): Promise<ProgramResult> {
  const child = Bun.spawn([runtime, path], {
    stdout: 'pipe',
    stderr: 'pipe',
    ...(cwd === undefined ? {} : { cwd }),
  });
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, output, errors };
}
