import { median } from 'simple-statistics';
import { type BlockTimer, createBlockTimer } from './block-timer.ts';
import type { CaseTime, MeasuredCase } from './measured-case.ts';
import { REFERENCE_LOOPS } from './reference-loops.ts';

export interface TimingOptions {
  /** Blocks of the case; 61. */
  readonly blocks?: number;
  /** Milliseconds a block should last; 0.4, well within what a scheduler lets run at a stretch. */
  readonly blockMs?: number;
  /** Milliseconds that case and reference each run before anything counts; 300, for compilers to finish. */
  readonly warmUpMs?: number;
}

/**
 * Times a case in short blocks, each between two blocks of its reference loop. What slows the
 * machine for a while slows both alike, and what hits one block hits one of many: the medians are
 * hardly moved.
 */
export async function timeBesideReference(
  { reference, operations, run }: MeasuredCase,
  options: TimingOptions = {},
): Promise<CaseTime> {
  const { blocks = 61, blockMs = 0.4, warmUpMs = 300 } = options;
  const referenceLoop = await warmUp(REFERENCE_LOOPS[reference], blockMs, warmUpMs);
  const loop = await warmUp(run, blockMs, warmUpMs);
  const times: number[] = [];
  const ratios: number[] = [];
  let before = await referenceLoop();
  for (let block = 0; block < blocks; block++) {
    const nanoseconds = (await loop()) / operations;
    const after = await referenceLoop();
    times.push(nanoseconds);
    ratios.push(nanoseconds / ((before + after) / 2));
    before = after;
  }
  return { nanoseconds: median(times), ratio: median(ratios) };
}

/** Times a block; answers nanoseconds a run. */
type TimedBlock = () => Promise<number>;

async function warmUp(run: () => unknown, blockMs: number, warmUpMs: number): Promise<TimedBlock> {
  const timer: BlockTimer = await createBlockTimer(run);
  const endsAt = performance.now() + warmUpMs;
  let runs = 1;
  do {
    const elapsed = await timer.time(runs);
    if (elapsed < blockMs * 0.8e6) runs *= 2;
    else runs = Math.max(1, Math.round((runs * blockMs * 1e6) / elapsed));
  } while (performance.now() < endsAt);
  return async () => (await timer.time(runs)) / runs;
}
