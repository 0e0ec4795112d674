import { do_not_optimize } from 'mitata';
import { median } from 'simple-statistics';
import { randomVectors } from '../inputs/random.ts';

/** A timed case. */
export interface MeasuredCase {
  /** Reference loop, by name or as a function; the case's time is divided by its time. */
  readonly reference: ReferenceName | (() => unknown);
  /** Number of operations per run; times are per operation. */
  readonly operations: number;
  /** Returns the result or a promise of it. */
  readonly run: () => unknown;
}

/** The median time of a case. */
export interface CaseTime {
  readonly nanoseconds: number;
  /** Time per operation divided by the time of one adjacent run of the reference loop. */
  readonly ratio: number;
}

export interface TimingOptions {
  /** Number of blocks. Default: 61. */
  readonly blocks?: number;
  /** Duration of a block in milliseconds. Default: 0.4, well within a scheduler's time slice. */
  readonly blockMs?: number;
  /** Warm-up of case and reference in milliseconds, which lets compilation settle. Default: 300. */
  readonly warmUpMs?: number;
}

/**
 * Times a case in short blocks, each between two blocks of its reference loop. Temporary slowness
 * of the machine affects both equally, and a disturbance of one block hardly changes the medians.
 */
export async function timeBesideReference(
  { reference, operations, run }: MeasuredCase,
  options: TimingOptions = {},
): Promise<CaseTime> {
  const { blocks = 61, blockMs = 0.4, warmUpMs = 300 } = options;
  const runReference = typeof reference === 'string' ? REFERENCE_LOOPS[reference] : reference;
  const referenceLoop = await warmUp(runReference, blockMs, warmUpMs);
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

/** Times a block and returns nanoseconds per run. */
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

/** Times consecutive runs. */
export interface BlockTimer {
  /** @returns The nanoseconds of `runs` runs. */
  time(runs: number): Promise<number>;
}

/**
 * Creates a timer for one function. It is compiled separately, so that the engine's optimisation of
 * one function does not affect another.
 */
export async function createBlockTimer(run: () => unknown): Promise<BlockTimer> {
  const first = run();
  const isAsync = first instanceof Promise;
  // Load everything the first run needs, and fail early.
  do_not_optimize(await first);
  const loop = isAsync ? awaitingLoop(run) : plainLoop(run);
  return {
    async time(runs) {
      const startedAt = performance.now();
      const result = loop(runs);
      // Awaiting a synchronous result would add a turn of the event loop to the time.
      do_not_optimize(isAsync ? await result : result);
      return (performance.now() - startedAt) * 1e6;
    },
  };
}

type Loop = (runs: number) => unknown;

function plainLoop(run: () => unknown): Loop {
  const make = new Function(
    'run',
    'return (runs) => { let last; for (let i = 0; i < runs; i++) last = run(); return last; }',
  );
  return make(run) as Loop;
}

function awaitingLoop(run: () => unknown): Loop {
  const make = new Function(
    'run',
    'return async (runs) => { let last; for (let i = 0; i < runs; i++) last = await run(); return last; }',
  );
  return make(run) as Loop;
}

/**
 * Loops with a fixed amount of work outside the SDK. A slower or busier machine slows them in about
 * the same proportion as the measured code, so a ratio to them is more stable than a time.
 */
export type ReferenceName = 'objects' | 'floats' | 'stores';

const REFERENCE_LOOPS: Readonly<Record<ReferenceName, () => number>> = {
  objects: walkObjects,
  floats: multiplyFloats,
  stores: storeFloats,
};

interface Item {
  readonly kind: string;
  readonly size: number;
  readonly part?: { readonly name: string };
}

const KINDS = ['red', 'green', 'blue', 'yellow'];
const ITEMS: readonly Item[] = Array.from({ length: 512 }, (_, index) => {
  const kind = KINDS[(index * 7) % 4] ?? '';
  return index % 3 === 0
    ? { kind, size: index / 512, part: { name: `part ${index % 5}` } }
    : { kind, size: index / 512 };
});
const VECTORS = randomVectors(33, 384, 1);
const STORED_ROWS = 1_000;
const ROWS = new Float32Array(STORED_ROWS * 384);
let nextRow = 0;

/** Reads fields of small objects and compares strings, like scoring and validation. */
function walkObjects(): number {
  let sum = 0;
  let latest = '';
  for (const item of ITEMS) {
    if (item.kind === 'green' || item.kind === 'yellow') sum += item.size;
    const name = item.part?.name;
    if (name !== undefined && name !== latest) {
      latest = name;
      sum += name.length;
    }
  }
  return sum;
}

/** Multiplies and sums float32 values, like comparing and embedding. */
function multiplyFloats(): number {
  const query = VECTORS[0] as Float32Array;
  let best = 0;
  for (let row = 1; row < VECTORS.length; row++) {
    const vector = VECTORS[row] as Float32Array;
    let sum = 0;
    for (let index = 0; index < vector.length; index++) {
      sum += (vector[index] as number) * (query[index] as number);
    }
    if (sum > best) best = sum;
  }
  return best;
}

/** Writes unit vectors to one row after the other of more memory than a core caches, like remembering. */
function storeFloats(): number {
  let last = 0;
  for (const vector of VECTORS) {
    let squares = 0;
    for (let index = 0; index < vector.length; index++) {
      squares += (vector[index] as number) ** 2;
    }
    const factor = 1 / Math.sqrt(squares);
    const start = nextRow * vector.length;
    for (let index = 0; index < vector.length; index++) {
      ROWS[start + index] = (vector[index] as number) * factor;
    }
    nextRow = (nextRow + 1) % STORED_ROWS;
    last = ROWS[start] as number;
  }
  return last;
}
