import { fileURLToPath } from 'node:url';
import { findNode } from '@kp/testing/node';
import { median } from 'simple-statistics';
import type { Claim } from '../results/claims.ts';

const PROGRAM = fileURLToPath(new URL('./open-once.mjs', import.meta.url));
const TIMES = 3;

interface Opening {
  readonly ms: number;
  readonly longestBlockMs: number;
}

/** Measures how long a new process takes to open a file of 100,000 entries. */
export async function openingClaims(file: string, runtime: 'Bun' | 'Node'): Promise<Claim[]> {
  const command = runtime === 'Bun' ? [process.execPath, ...process.execArgv] : [await findNode()];
  const openings: Opening[] = [];
  for (let i = 0; i < TIMES; i++) {
    const child = Bun.spawn([...command, PROGRAM, file], { stdio: ['ignore', 'pipe', 'pipe'] });
    const text = await new Response(child.stdout).text();
    const errors = await new Response(child.stderr).text();
    if ((await child.exited) !== 0) throw new Error(`${command[0]}: ${errors}`);
    openings.push(JSON.parse(text) as Opening);
  }
  return [
    {
      what: `opening 100,000 entries, ${runtime}`,
      measured: median(openings.map(({ ms }) => ms)) / 1000,
      bound: 'at most',
      limit: runtime === 'Bun' ? 1.5 : 3,
      unit: 's',
    },
    {
      what: `event loop: longest block while opening, ${runtime}`,
      measured: median(openings.map(({ longestBlockMs }) => longestBlockMs)),
      bound: 'at most',
      limit: 15,
      unit: 'ms',
    },
  ];
}
