import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { mean } from 'simple-statistics';
import type { CoverageRow } from '../curation/measure-coverage.ts';
import {
  describeMachine,
  renderMarkdown,
  renderTerminal,
  type TextTable,
} from '../results/tables.ts';

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
      process.exitCode = await timeCuration(flags);
    });
}

/** @returns the exit status. */
async function timeCuration({ vectors, rounds, threads, json }: CurationFlags): Promise<number> {
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

/** Measures what a selection covers of tasks that it is not told, and the rates that are stated. */
export function addCoverageCommand(program: Command): void {
  program
    .command('coverage')
    .summary('measure what a selection covers of tasks that it is not told')
    .description(
      'Chooses as many runs as there are tasks, of each corpus and of four parts of it, and counts the tasks covered; then garbled runs, false duplicates over 200 splits of the tasks, and the greedy choice beside the best. Seeded. Exit status 1 when a mean is under what is required.',
    )
    .argument(
      '<corpora...>',
      'NAME=PATH,PATH…: recordings that name their tasks, or folders; a semicolon for a comma begins another list of tasks',
    )
    .option('--markdown', 'print the tables as Markdown')
    .action(async (corpora: string[], { markdown }: { readonly markdown?: boolean }) => {
      process.exitCode = await measureCorpora(
        corpora,
        markdown === true ? renderMarkdown : renderTerminal,
      );
    });
}

/** @returns the exit status. */
async function measureCorpora(
  corpora: readonly string[],
  render: (table: TextTable) => string,
): Promise<number> {
  const { CorpusError, readCorpus } = await import('../curation/measure-coverage.ts');
  const { measureCoverage } = await import('../curation/measure-coverage.ts');
  const claims = await import('../curation/measure-claims.ts');
  const coverage: CoverageRow[] = [];
  const [garbled, rates, greedy] = [[], [], []] as [
    number[][],
    number[],
    { mean: number; least: number }[],
  ];
  try {
    for (const argument of corpora) {
      const corpus = await readCorpus(argument);
      coverage.push(await measureCoverage(corpus));
      garbled.push(await claims.measureGarbled(corpus.runs));
      greedy.push(await claims.measureGreedy(corpus.runs));
      const rate = await claims.measureFalseDuplicates(corpus.runs);
      if (rate !== undefined) rates.push(rate);
    }
  } catch (error) {
    if (!(error instanceof CorpusError)) throw error;
    console.error(`bench: ${error.message}`);
    return 2;
  }
  console.log(render(coverageTable(coverage)));
  const solved = coverage.flatMap((row) => row.solved ?? []);
  const rows: Required[] = [
    atLeast('tasks covered × oracle', mean(coverage.map((row) => row.ofOracle)), 0.9),
    atLeast('tasks covered × random', mean(coverage.map((row) => row.ofRandom)), 1.25),
    atLeast('tasks covered × top score', mean(coverage.map((row) => row.ofTopScore)), 1.1),
    ...(solved.length === 0
      ? []
      : [
          atLeast('solved tasks × oracle', mean(solved.map((row) => row.ofOracle)), 0.95),
          atLeast('solved tasks × random', mean(solved.map((row) => row.ofRandom)), 1.08),
        ]),
    atMost('garbled picks × their share, worst of four kinds', worstKind(garbled), 2),
    atLeast('greedy × the best 4 of 18, mean', mean(greedy.map((row) => row.mean)), 0.99),
    atLeast('greedy × the best 4 of 18, least', Math.min(...greedy.map((row) => row.least)), 0.9),
    ...(rates.length === 0
      ? []
      : [atMost('false duplicates at a stated 0.1, mean', mean(rates), 0.11)]),
  ];
  console.log(`\n${render(requiredTable(rows))}`);
  const byCorpus = rates.length === 0 ? 'too few tasks' : rates.map(figure).join(', ');
  console.log(`\nfalse duplicates by corpus: ${byCorpus}`);
  return rows.every(({ holds }) => holds) ? 0 : 1;
}

/** The greatest of the means over the corpora. */
function worstKind(garbled: readonly (readonly number[])[]): number {
  const [first = []] = garbled;
  return Math.max(...first.map((_, kind) => mean(garbled.map((kinds) => kinds[kind] as number))));
}

interface Required {
  readonly what: string;
  readonly measured: number;
  readonly required: string;
  readonly holds: boolean;
}

function atLeast(what: string, measured: number, least: number): Required {
  return { what, measured, required: `at least ${least}`, holds: measured >= least };
}

function atMost(what: string, measured: number, most: number): Required {
  return { what, measured, required: `at most ${most}`, holds: measured <= most };
}

function coverageTable(rows: readonly CoverageRow[]): TextTable {
  const headings = [
    'corpus (runs, tasks)',
    '× oracle, lexical',
    '× oracle',
    '× random',
    '× top score',
    'solved × oracle',
    'solved × random',
  ];
  return {
    columns: headings.map((heading, index) => ({ heading, right: index > 0 })),
    rows: rows.map((row) => [
      `${row.corpus} (${row.runs}, ${row.tasks})`,
      ...[row.lexicalOfOracle, row.ofOracle, row.ofRandom, row.ofTopScore].map(figure),
      ...[row.solved?.ofOracle, row.solved?.ofRandom].map(figure),
    ]),
  };
}

function requiredTable(rows: readonly Required[]): TextTable {
  return {
    columns: [
      { heading: 'mean over the corpora' },
      { heading: 'required', right: true },
      { heading: 'measured', right: true },
      { heading: '' },
    ],
    rows: rows.map(({ what, required, measured, holds }) => [
      what,
      required,
      measured.toFixed(3),
      holds ? 'holds' : 'DOES NOT HOLD',
    ]),
  };
}

function figure(value: number | undefined): string {
  return value?.toFixed(2) ?? '';
}
