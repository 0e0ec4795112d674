import type { Command } from 'commander';
import { describeMachine } from '../results/machine.ts';
import { renderTerminal } from '../results/text-table.ts';

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
      process.exitCode = await measure();
    });
}

/** @returns the exit status. */
async function measure(): Promise<number> {
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
