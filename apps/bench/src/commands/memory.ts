import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { describeMachine, renderTerminal } from '../results/tables.ts';

export function addMemoryCommand(program: Command): void {
  program
    .command('memory')
    .summary('measure the memories that last and are shared')
    .description(
      'Measures @kp/memory against the raw engines in one run, and holds what the documentation claims. KP_POSTGRES_URL and KP_REDIS_URL name servers; KP_NODE names a Node with SQLite. Exit status 1 when a claim does not hold.',
    )
    .option('--json <file>', 'write the figures to a file')
    .action(async ({ json }: { readonly json?: string }) => {
      process.exitCode = await measure(json);
    });
}

/** @returns the exit status. */
async function measure(json: string | undefined): Promise<number> {
  // Loaded here: sqlite-vec is a native library that no other command needs.
  const { measureMemories } = await import('../memory/memory-claims.ts');
  const { holds } = await import('../memory/claim.ts');
  const { claims, left } = await measureMemories();
  const rows = claims.map((claim) => [
    claim.what,
    threeDigits(claim.measured),
    claim.bound === 'none' ? claim.unit : `${claim.bound} ${claim.limit} ${claim.unit}`,
    claim.bound === 'none' ? '' : holds(claim) ? 'holds' : 'DOES NOT HOLD',
  ]);
  const columns = [
    { heading: 'what' },
    { heading: 'measured', right: true },
    { heading: 'claimed' },
    { heading: '' },
  ];
  console.log(renderTerminal({ columns, rows }));
  for (const line of left) console.log(`NOT MEASURED: ${line}`);
  console.log(`\n${describeMachine()}`);
  if (json !== undefined) {
    const document = { machine: describeMachine(), claims, left };
    await writeFile(json, `${JSON.stringify(document, null, 2)}\n`);
  }
  return claims.every(holds) ? 0 : 1;
}

interface SoakFlags {
  readonly evaluations: number;
  readonly memory?: string;
  readonly json?: string;
}

export function addSoakCommand(program: Command): void {
  program
    .command('soak')
    .summary('score for long over a shared memory, and see whether anything grows')
    .description(
      'Scores from two processes over one memory, and shows what they take over time: resident memory, heap, time of the processor, the store. Each is flat when its growth, with an interval, is under a limit. Exit status 1 when one is not, or when it cannot be told.',
    )
    .option('--evaluations <count>', 'how many, of both together', parseEvaluations, 1_000_000)
    .option('--memory <location>', 'a file, postgres://… or redis://… (default: a SQLite file)')
    .option('--json <file>', 'write all samples to a file')
    .action(async (flags: SoakFlags) => {
      process.exitCode = await soakFor(flags);
    });
}

const FEWEST_EVALUATIONS = 60_000;

function parseEvaluations(text: string): number {
  const count = Number(text.replaceAll(/[_,]/g, ''));
  if (Number.isSafeInteger(count) && count >= FEWEST_EVALUATIONS) return count;
  throw new InvalidArgumentError(`Expected an integer from ${FEWEST_EVALUATIONS}.`);
}

/** @returns the exit status. */
async function soakFor({ evaluations, memory: location, json }: SoakFlags): Promise<number> {
  const { judge, soak, soakTable } = await import('../memory/soak.ts');
  const startedAt = performance.now();
  let told = 0;
  const onProgress = (share: number): void => {
    if (share < told + 0.1) return;
    told = Math.floor(share * 10) / 10;
    console.error(`soak: ${Math.round(told * 100)} %`);
  };
  const processes = await soak({ evaluations, location, onProgress });
  const verdicts = judge(processes);
  console.log(renderTerminal(soakTable(processes)));
  const rows = verdicts.map(({ what, growth: { low, slope, high }, limit, unit, verdict }) => [
    what,
    threeDigits(slope),
    `${threeDigits(low)} to ${threeDigits(high)}`,
    `at most ${limit} ${unit}`,
    verdict,
  ]);
  const headings = ['what', 'growth', '95 %', 'flat is', ''];
  const columns = headings.map((heading, i) => ({ heading, right: i === 1 || i === 2 }));
  console.log(`\n${renderTerminal({ columns, rows })}`);
  const uncompared = processes.reduce((sum, all) => sum + (all.at(-1)?.uncompared ?? 0), 0);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  const count = evaluations.toLocaleString('en');
  console.log(`\n${count} evaluations in ${minutes} minutes, ${uncompared} without a comparison`);
  console.log(describeMachine());
  if (json !== undefined) {
    const document = { machine: describeMachine(), verdicts, processes };
    await writeFile(json, `${JSON.stringify(document, null, 2)}\n`);
  }
  return uncompared === 0 && verdicts.every(({ verdict }) => verdict === 'flat') ? 0 : 1;
}

function threeDigits(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
