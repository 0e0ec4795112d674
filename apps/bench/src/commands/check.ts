import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { check } from '../enforced/check.ts';
import { isRowId, LATENCY_TABLE, ROW_IDS, type RowId } from '../enforced/latency-table.ts';
import { measureRows } from '../enforced/measure-rows.ts';
import { describeFindings, isAboveDocumented, verdictTable } from '../enforced/verdict-table.ts';
import { describeMachine } from '../results/machine.ts';
import { renderMarkdown, renderTerminal } from '../results/text-table.ts';

interface CheckFlags {
  readonly json?: string;
  readonly markdown?: boolean;
}

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .summary('hold the latency table')
    .description(
      'Measures the rows of the latency table and holds them to their limits. Exit status 1 when one is over its limit. A row that cannot be measured is named, and does not count as within.',
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
  const verdicts = await check(ids, measureRows);
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

function addRow(text: string, previous: readonly RowId[] | undefined): readonly RowId[] {
  if (!isRowId(text)) throw new InvalidArgumentError(`expected one of ${ROW_IDS.join(', ')}`);
  return [...(previous ?? []), text];
}
