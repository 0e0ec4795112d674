import { defineCommand } from '../command/define-command.ts';
import { type Claim, claimsTable, holds } from '../results/claims.ts';
import { benchLive } from './bench-live.ts';

export const command = defineCommand({
  description:
    'Runs an AI SDK agent with a model that answers immediately, alternately with and without live scoring; with it, the time includes the score. Exits with 1 if live scoring adds more than 1 ms per step and more than 1 % of the run.',
  async run() {
    const { withMicroseconds, withoutMicroseconds, steps, scored, runs } = await benchLive();
    const timed = { bound: 'none', limit: 0, unit: 'µs' } as const;
    const perStep: Claim = {
      what: `added a step, of ${steps}`,
      measured: (withMicroseconds - withoutMicroseconds) / steps,
      bound: 'at most',
      limit: 1000,
      unit: 'µs',
    };
    const share: Claim = {
      what: 'or added to the run',
      measured: (withMicroseconds / withoutMicroseconds - 1) * 100,
      bound: 'at most',
      limit: 1,
      unit: '%',
    };
    const all: Claim = {
      what: 'runs scored',
      measured: scored,
      bound: 'exactly',
      limit: runs,
      unit: 'runs',
    };
    const claims: Claim[] = [
      { what: 'a run with its live score, median', measured: withMicroseconds, ...timed },
      { what: 'the same without live scoring', measured: withoutMicroseconds, ...timed },
      perStep,
      share,
      all,
    ];
    const isCheap = holds(perStep) || holds(share);
    return {
      parts: [claimsTable(claims)],
      document: { claims },
      exitCode: isCheap && holds(all) ? 0 : 1,
    };
  },
});
