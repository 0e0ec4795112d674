import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
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
    Number(claim.measured.toPrecision(3)).toString(),
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
