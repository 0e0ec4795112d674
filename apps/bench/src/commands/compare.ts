import { appendFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError } from 'commander';
import { COMPARED_ROWS, compareRows } from '../compare/compare-rows.ts';
import { ProofFileError, readKept, writeKept } from '../compare/proof-file.ts';
import { prove } from '../compare/prove.ts';
import { describeComparison, describeProof, isRegression } from '../compare/report.ts';
import { buildPackages, RevisionError, withRevision } from '../compare/revision.ts';
import { canPin } from '../measurement/processes.ts';
import { type Comparison, compareResults } from '../results/compare-results.ts';
import { readResults } from '../results/results-file.ts';
import {
  describeMachine,
  formatNanoseconds,
  formatPercent,
  renderMarkdown,
  renderTerminal,
  type TextTable,
} from '../results/tables.ts';

interface CompareFlags {
  readonly base?: string;
  readonly prove?: boolean;
  readonly trials: number;
  readonly lanes: number;
  readonly rows?: readonly string[];
  readonly keep?: string;
  readonly json?: string;
  readonly summary?: string;
  readonly markdown?: boolean;
  readonly all?: boolean;
  readonly threshold: number;
}

export function addCompareCommand(program: Command): void {
  const command = program.command('compare');
  command
    .summary('compare two revisions, or the results of two')
    .description(
      'With --base: builds another revision in a temporary worktree and measures both, in pairs of processes in turn, until each row is settled. Exit status 1 when a row got slower or larger, 2 when the revision cannot be built. With two files of bench run --json: compares what they hold, five runs each made in turn.',
    )
    .argument('[old]', 'results of the version before')
    .argument('[new]', 'results of the version after')
    .option('--base <revision>', 'compare the working tree with this revision')
    .option('--prove', 'compare the working tree with itself: unchanged, and with rows slowed down')
    .option(
      '--trials <number>',
      'with --prove: comparisons; 0 prints what is kept',
      countOrNone,
      100,
    )
    .option('--lanes <number>', 'with --prove: comparisons at a time', count, 1)
    .option('--keep <file>', 'with --prove: add to the comparisons that a file keeps')
    .option('--rows <ids>', 'with --base or --prove: only these rows, commas between', rowIds)
    .option('--json <file>', 'with --base: write the figures to a file')
    .option('--summary <file>', 'with --base: add the table as Markdown to a file')
    .option('--all', 'of files: show benchmarks without a difference as well')
    .option('--threshold <share>', 'of files: changes under this share do not count', share, 0.05)
    .option('--markdown', 'print Markdown')
    .action(async (before: string | undefined, after: string | undefined, flags: CompareFlags) => {
      const ways = [flags.base !== undefined, flags.prove === true, before !== undefined];
      if (ways.filter(Boolean).length !== 1 || (before !== undefined && after === undefined)) {
        command.error('expected --base <revision>, --prove, or two files of results');
      }
      if (flags.keep !== undefined && flags.prove !== true) command.error('--keep wants --prove');
      if (flags.json !== undefined && flags.base === undefined) {
        command.error('--json wants --base; --prove keeps its figures with --keep');
      }
      if (flags.base !== undefined) process.exitCode = await compareWithBase(flags.base, flags);
      else if (flags.prove === true) process.exitCode = await proveComparison(flags);
      else process.exitCode = await compareFiles(before ?? '', after ?? '', flags);
    });
}

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** @returns the exit status. */
async function compareWithBase(base: string, flags: CompareFlags): Promise<number> {
  const progress = showProgress();
  return untilInterrupted(async (signal) => {
    try {
      const comparison = await withRevision(
        REPOSITORY,
        base,
        { signal, onStep: progress },
        async ({ root, commit }) => {
          progress('building the working tree');
          await buildPackages(REPOSITORY, signal);
          const folders = { base: root, head: REPOSITORY };
          const cpu = canPin() ? 0 : undefined;
          const options = { ...folders, rows: flags.rows, cpu, signal, onProgress: progress };
          return { base, commit, rows: await compareRows(options) };
        },
      );
      progress('');
      console.log(describeComparison(comparison, flags.markdown === true));
      if (flags.summary !== undefined) {
        await appendFile(flags.summary, `${describeComparison(comparison, true)}\n`);
      }
      const document = { version: 1, machine: describeMachine(), ...comparison };
      if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(document)}\n`);
      return comparison.rows.some(isRegression) ? 1 : 0;
    } catch (error) {
      if (!(error instanceof RevisionError)) throw error;
      progress('');
      console.error(`bench: ${error.message}`);
      return 2;
    }
  });
}

/** @returns the exit status. */
async function proveComparison(flags: CompareFlags): Promise<number> {
  const { trials, lanes, rows, keep, markdown = false } = flags;
  const progress = showProgress();
  return untilInterrupted(async (signal) => {
    try {
      const comparisons = keep === undefined ? [] : await readKept(keep);
      const wanted = comparisons.length + trials;
      if (trials > 0) await buildPackages(REPOSITORY, signal);
      await prove({
        root: REPOSITORY,
        trials,
        lanes,
        rows,
        signal,
        async onComparison(outcomes) {
          comparisons.push([...outcomes]);
          progress(`${comparisons.length} of ${wanted} comparisons`);
          if (keep !== undefined) await writeKept(keep, comparisons);
        },
      });
      progress('');
      console.log(describeProof(comparisons, markdown));
      return 0;
    } catch (error) {
      if (!(error instanceof ProofFileError)) throw error;
      console.error(`bench: ${error.message}`);
      return 2;
    }
  });
}

/** Runs until the end or until the program is told to end; then what is under way is taken back first. */
async function untilInterrupted(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    console.error('bench: interrupted');
    return INTERRUPTED;
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}

const INTERRUPTED = 130;

/** Shows what is under way: in place on a terminal, else a line for each step. */
function showProgress(): (what: string) => void {
  if (process.stderr.isTTY) return (what) => process.stderr.write(`\r\x1b[K${what.slice(0, 100)}`);
  return (what) => {
    if (what !== '' && !what.startsWith('pair ')) console.error(what);
  };
}

function rowIds(text: string): string[] {
  const ids = text.split(',');
  const known = COMPARED_ROWS.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return ids;
  throw new InvalidArgumentError(`expected rows of ${known.join(', ')}`);
}

function count(text: string): number {
  return integerFrom(1, text);
}

function countOrNone(text: string): number {
  return integerFrom(0, text);
}

function integerFrom(least: number, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || text.trim() === '') {
    throw new InvalidArgumentError(`expected an integer from ${least}`);
  }
  return value;
}

/** @returns the exit status. */
async function compareFiles(before: string, after: string, flags: CompareFlags): Promise<number> {
  const old = await readResults(before);
  const now = await readResults(after);
  const comparisons = compareResults(old, now, flags);
  const shown = comparisons.filter(
    ({ change }) => flags.all === true || change !== 'no difference',
  );
  const render = flags.markdown === true ? renderMarkdown : renderTerminal;
  if (shown.length > 0) console.log(`${render(fileTable(shown))}\n`);
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

function fileTable(comparisons: readonly Comparison[]): TextTable {
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
