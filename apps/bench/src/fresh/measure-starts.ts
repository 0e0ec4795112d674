import { median } from 'simple-statistics';
import { runProgram } from './run-program.ts';

/** Medians of milliseconds from the start of a process to its end. */
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
