import { type Command, InvalidArgumentError } from 'commander';
import { type Comparison, compareResults } from '../results/compare-results.ts';
import { readResults } from '../results/results-file.ts';
import {
  formatNanoseconds,
  formatPercent,
  renderMarkdown,
  renderTerminal,
  type TextTable,
} from '../results/tables.ts';

interface CompareFlags {
  readonly markdown?: boolean;
  readonly all?: boolean;
  readonly threshold: number;
}

export function addCompareCommand(program: Command): void {
  program
    .command('compare')
    .summary('compare the results of two versions')
    .description(
      'Compares two files of bench run --json. Exit status 1 when a benchmark got slower. Needs five runs in each file, made in turn: run --json old.json --append, run --json new.json --append, and again.',
    )
    .argument('<old>', 'results of the version before')
    .argument('<new>', 'results of the version after')
    .option('--all', 'show benchmarks without a difference as well')
    .option('--threshold <share>', 'changes under this share do not count', share, 0.05)
    .option('--markdown', 'print Markdown')
    .action(async (before: string, after: string, flags: CompareFlags) => {
      process.exitCode = await compare(before, after, flags);
    });
}

/** @returns the exit status. */
async function compare(before: string, after: string, flags: CompareFlags): Promise<number> {
  const old = await readResults(before);
  const now = await readResults(after);
  const comparisons = compareResults(old, now, flags);
  const shown = comparisons.filter(
    ({ change }) => flags.all === true || change !== 'no difference',
  );
  const render = flags.markdown === true ? renderMarkdown : renderTerminal;
  if (shown.length > 0) console.log(`${render(comparisonTable(shown))}\n`);
  const count = (wanted: string): number =>
    comparisons.filter(({ change }) => change === wanted).length;
  const tally = ['slower', 'faster', 'no difference', 'too few runs']
    .filter((change) => count(change) > 0)
    .map((change) => `${count(change)} ${change}`);
  console.log(
    `${tally.join(', ') || 'nothing in common'}; ${old.runs.length} runs before, ${now.runs.length} after\nbefore: ${old.machine}\nafter: ${now.machine}`,
  );
  return count('slower') > 0 ? 1 : 0;
}

function comparisonTable(comparisons: readonly Comparison[]): TextTable {
  return {
    columns: [
      { heading: 'benchmark' },
      { heading: 'before', right: true },
      { heading: 'after', right: true },
      { heading: 'change', right: true },
      { heading: '95 % interval', right: true },
      { heading: 'verdict' },
    ],
    rows: comparisons.map(({ key, before, after, factor, interval, change }) => [
      key,
      formatNanoseconds(before),
      formatNanoseconds(after),
      signed(factor),
      `${signed(interval[0])} to ${signed(interval[1])}`,
      change,
    ]),
  };
}

function signed(factor: number): string {
  return `${factor >= 1 ? '+' : ''}${formatPercent(factor - 1)}`;
}

function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0)) throw new InvalidArgumentError('expected a share of at least 0, such as 0.05');
  return value;
}
