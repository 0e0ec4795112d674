export interface ProgramResult {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a TypeScript program against the sources of the packages. */
export async function runProgram(path: string, cwd?: string): Promise<ProgramResult> {
  const child = Bun.spawn([process.execPath, path], {
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
