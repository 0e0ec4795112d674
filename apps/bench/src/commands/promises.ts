import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import {
  check,
  describeFindings,
  isAboveDocumented,
  type RowVerdict,
  verdictTable,
} from '../enforced/check.ts';
import { isRowId, LATENCY_TABLE, ROW_IDS, type RowId } from '../enforced/latency-table.ts';
import { type MeasureRows, measureRows } from '../enforced/measure-rows.ts';
import { SHARED_FOLDER } from '../inputs/models.ts';
import {
  describeMachine,
  formatPercent,
  renderMarkdown,
  renderTerminal,
} from '../results/tables.ts';

interface CheckFlags {
  readonly json?: string;
  readonly markdown?: boolean;
}

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .summary('hold the latency table')
    .description(
      'Measures the rows of the latency table and holds them to their limits. Exit status 1 when one is over its limit, twice. A row that cannot be measured is named, and does not count as within.',
    )
    .argument('[rows...]', `which rows; all when none is named: ${ROW_IDS.join(', ')}`, addRow)
    .option('--json <file>', 'write the verdicts to a file')
    .option('--markdown', 'print the table as Markdown')
    .action(async (rows: readonly RowId[], flags: CheckFlags) => {
      process.exitCode = await runCheck(rows.length === 0 ? ROW_IDS : rows, flags);
    });
}

/** @returns the exit status. */
async function runCheck(ids: readonly RowId[], flags: CheckFlags): Promise<number> {
  const startedAt = performance.now();
  const verdicts = await checkTwice(ids, measureRows);
  const render = flags.markdown === true ? renderMarkdown : renderTerminal;
  console.log(render(verdictTable(verdicts)));
  if (verdicts.some((verdict) => isAboveDocumented(verdict, LATENCY_TABLE[verdict.id]))) {
    console.log('\n* more than documented; what is enforced is the limit, see docs/benchmarks.md');
  }
  const findings = describeFindings(verdicts);
  if (findings.length > 0) console.log(`\n${findings.join('\n')}`);
  const tally = (wanted: string): string =>
    `${verdicts.filter(({ verdict }) => verdict === wanted).length} ${wanted}`;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `\n${tally('within')}, ${tally('over')}, ${tally('not measured')}; ${seconds} s on ${describeMachine()}`,
  );
  if (flags.json !== undefined) {
    const document = { machine: describeMachine(), verdicts };
    await writeFile(flags.json, `${JSON.stringify(document, null, 2)}\n`);
  }
  return verdicts.some(({ verdict }) => verdict === 'over') ? 1 : 0;
}

// What a model does is shared out to a thread for each processor, and is done when the last of them is;
// the reference loop has one thread.
const ON_ALL_PROCESSORS: ReadonlySet<RowId> = new Set([
  'evaluation-transformers',
  'embedding-transformers',
]);
const MOST_OF_OTHERS = 0.5;

/**
 * Checks rows, and those that are over once more from the start: others that have the processors for
 * seconds may disturb all the processes of a row. A row that needs all processors is not measured by
 * what it takes while others have most of them.
 *
 * @param othersShare - what others have of the processors while nothing is measured, from 0 to 1.
 * @returns of a row that was checked twice, the second verdict.
 */
export async function checkTwice(
  ids: readonly RowId[],
  measure: MeasureRows,
  othersShare: () => Promise<number> = shareInUse,
): Promise<readonly RowVerdict[]> {
  const first = await check(ids, measure);
  const over = first.filter(({ verdict }) => verdict === 'over');
  if (over.length === 0) return first;
  console.log(`over at first, and checked again:\n${describeFindings(over).join('\n')}\n`);
  const shares = [await othersShare()];
  const second = await check(
    over.map(({ id }) => id),
    measure,
  );
  shares.push(await othersShare());
  const share = Math.min(...shares);
  const again = new Map<RowId, RowVerdict>();
  for (const verdict of second) {
    const { id, attempts } = verdict;
    const isUnknown = verdict.verdict === 'over' && ON_ALL_PROCESSORS.has(id);
    if (isUnknown && share > MOST_OF_OTHERS) {
      const reason = `others had ${formatPercent(share)} of the processors, all of which it needs`;
      again.set(id, { id, verdict: 'not measured', attempts, reason });
    } else again.set(id, verdict);
  }
  return first.map((verdict) => again.get(verdict.id) ?? verdict);
}

const LOOK_MS = 500;

/** The share of the processors that is in use, while this process waits. */
async function shareInUse(): Promise<number> {
  const before = processorTimes();
  await setTimeout(LOOK_MS);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function processorTimes(): { readonly idle: number; readonly all: number } {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    for (const time of Object.values(times)) all += time;
  }
  return { idle, all };
}

function addRow(text: string, previous: readonly RowId[] | undefined): readonly RowId[] {
  if (!isRowId(text)) throw new InvalidArgumentError(`expected one of ${ROW_IDS.join(', ')}`);
  return [...(previous ?? []), text];
}

const MOST_MILLISECONDS_A_STEP = 1;
const MOST_SHARE = 0.01;

export function addLiveCommand(program: Command): void {
  program
    .command('live')
    .summary('measure what live scoring costs an agent')
    .description(
      'Runs an agent of the AI SDK with a model that answers at once, in turn with live scoring and without, the former timed until the score is made. Exit status 1 when live scoring takes over 1 ms a step and over 1 % of the run.',
    )
    .action(async () => {
      process.exitCode = await measureLive();
    });
}

/** @returns the exit status. */
async function measureLive(): Promise<number> {
  // Loaded here: no other command needs the SDK.
  const { benchLive } = await import('../live/bench-live.ts');
  const { withMicroseconds, withoutMicroseconds, steps, scored, runs } = await benchLive();
  const added = (withMicroseconds - withoutMicroseconds) / steps;
  const rows = [
    ['a run and its live score, median', `${withMicroseconds.toFixed(0)} µs`],
    ['the same without', `${withoutMicroseconds.toFixed(0)} µs`],
    [`added a step, of ${steps}`, `${added.toFixed(1)} µs`],
    ['runs scored', `${scored} of ${runs}`],
  ];
  const columns = [{ heading: 'what' }, { heading: 'measured', right: true }];
  console.log(renderTerminal({ columns, rows }));
  const isQuick =
    added <= MOST_MILLISECONDS_A_STEP * 1000 ||
    withMicroseconds <= withoutMicroseconds * (1 + MOST_SHARE);
  const holds = isQuick && scored === runs;
  console.log(
    `\n${holds ? 'holds' : 'DOES NOT HOLD'}: at most 1 ms a step or 1 %, every run scored`,
  );
  console.log(describeMachine());
  return holds ? 0 : 1;
}

interface VectorFlags {
  readonly json?: string;
}

export function addVectorCommand(program: Command): void {
  program
    .command('vector')
    .summary('compare the vector cache with its peers')
    .description(
      'Searches the same vectors by the cache and by other libraries, side by side in one process, and holds the ratios that the documentation claims. Exit status 1 when one does not hold.',
    )
    .option('--json <file>', 'write the figures to a file')
    .action(async (flags: VectorFlags) => {
      process.exitCode = await compareVectors(flags);
    });
}

/** @returns the exit status. */
async function compareVectors({ json }: VectorFlags): Promise<number> {
  // Loaded here: the peers are native libraries that no other command needs.
  const { compareVectorSearch } = await import('../vector/compare-vector-search.ts');
  const { formatVectorSearch, vectorSearchClaims } = await import(
    '../vector/vector-search-claims.ts'
  );
  const sharedFolder = existsSync(SHARED_FOLDER) ? SHARED_FOLDER : undefined;
  const rows = await compareVectorSearch({ sharedFolder });
  console.log(formatVectorSearch(rows));
  const claims = vectorSearchClaims(rows);
  for (const { claim, vectors, bound, limit, measured, holds } of claims) {
    const verdict = holds ? 'holds' : 'DOES NOT HOLD';
    console.log(
      `${verdict}: ${claim}, ${vectors} vectors: ${measured.toFixed(2)}, ${bound} ${limit}`,
    );
  }
  console.log(`\n${describeMachine()}`);
  if (json !== undefined) {
    const document = { machine: describeMachine(), rows, claims };
    await writeFile(json, `${JSON.stringify(document, null, 2)}\n`);
  }
  return claims.every(({ holds }) => holds) ? 0 : 1;
}
