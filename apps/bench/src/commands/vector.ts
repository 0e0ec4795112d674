import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describeMachine } from '../results/machine.ts';

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
  const { compareVectorSearch, formatVectorSearch, vectorSearchClaims } = await import(
    '../vector/index.ts'
  );
  const shared =
    process.env.KP_SHARED_DIR ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));
  const sharedFolder = existsSync(shared) ? shared : undefined;
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
