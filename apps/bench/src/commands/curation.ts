import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { describeMachine } from '../results/machine.ts';
import { renderTerminal } from '../results/text-table.ts';

interface CurationFlags {
  readonly vectors: readonly number[];
  readonly rounds: number;
  readonly threads?: number;
  readonly json?: string;
}

/** Times of a product of all pairs in C on one core that the graph and the picks may take. */
const MOST_TIMES_NATIVE = 2;

export function addCurationCommand(program: Command): void {
  program
    .command('curation')
    .summary('time the similarity graph and the selection of a corpus')
    .description(
      `Makes the graph of 20 neighbours of vectors of 384 dimensions and picks 50, beside a product of all pairs in C with AVX2 on one core. Exit status 1 over ${MOST_TIMES_NATIVE} times its time.`,
    )
    .option('--vectors <numbers>', 'sizes of the corpus, with commas between', counts, [10_000])
    .option('--rounds <number>', 'rounds after one to warm up', count, 5)
    .option('--threads <number>', 'threads that compare; all processors when left out', count)
    .option('--json <file>', 'write the figures to a file')
    .action(async (flags: CurationFlags) => {
      process.exitCode = await run(flags);
    });
}

/** @returns the exit status. */
async function run({ vectors, rounds, threads, json }: CurationFlags): Promise<number> {
  const { benchCuration } = await import('../curation/bench-curation.ts');
  const rows = await benchCuration({ sizes: vectors, rounds, threads });
  const milliseconds = (value: number | null) => value?.toFixed(0) ?? 'no gcc';
  const cells = rows.map((row) => [
    row.data,
    row.vectors.toLocaleString('en'),
    `${row.threads}`,
    milliseconds(row.graphMilliseconds),
    milliseconds(row.picksMilliseconds),
    milliseconds(row.nativeMilliseconds),
    row.timesNative === null ? '' : `${row.timesNative.toFixed(2)}×`,
  ]);
  const headings = ['vectors', 'number', 'threads', 'graph, ms', '50 picks, ms', 'C, ms', 'ratio'];
  const columns = headings.map((heading, index) => ({ heading, right: index > 0 }));
  console.log(renderTerminal({ columns, rows: cells }));
  const holds = rows.every(
    ({ timesNative, isExact }) => isExact && (timesNative ?? 0) <= MOST_TIMES_NATIVE,
  );
  const verdict = holds ? 'holds' : 'DOES NOT HOLD';
  console.log(
    `\n${verdict}: exact, and graph and picks within ${MOST_TIMES_NATIVE} times the products in C`,
  );
  console.log(describeMachine());
  const document = { machine: describeMachine(), rows, holds };
  if (json !== undefined) await writeFile(json, `${JSON.stringify(document, null, 2)}\n`);
  return holds ? 0 : 1;
}

function counts(text: string): number[] {
  return text.split(',').map(count);
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidArgumentError('expected an integer from 1.');
  }
  return value;
}
