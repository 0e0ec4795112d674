import type { Input } from '../runs/inputs/input.ts';
import type { DescribedInput, InputRequest, WorkerAnswer } from '../runs/prepared/prepared-data.ts';
import type { ReadInput } from '../runs/prepared/restored-input.ts';
import type { WorkerPool } from './worker-pool.ts';

/** An input that a worker thread reads as a whole. */
export interface PooledInput {
  readonly input: Input;
  readonly path: string;
  /** Bytes after decompression. */
  readonly bytes: number;
}

/** Maximum bytes of inputs that are read ahead; a single input may have more. */
const MOST_BYTES_AHEAD = 2 ** 25;
/** Maximum number of inputs that are read ahead for each worker. */
const INPUTS_AHEAD = 8;
/**
 * Number of unusable inputs after which none is read ahead: the others are probably unusable too, because the
 * runs of their format may continue in other inputs.
 */
const MOST_UNUSED = 4;

/**
 * Reads inputs in worker threads, some ahead of their turn.
 *
 * @param pooled - in the order of their turns.
 * @param workers - number of threads in the pool.
 * @returns a function to call for each of these inputs when its turn comes.
 */
export function createInputPool(
  pooled: readonly PooledInput[],
  pool: WorkerPool<InputRequest, WorkerAnswer>,
  workers: number,
): (input: Input) => Promise<ReadInput | undefined> | undefined {
  const asked = new Map<Input, Promise<WorkerAnswer | undefined>>();
  let next = 0;
  let bytesAhead = 0;
  let unused = 0;

  function readAhead(): void {
    if (unused >= MOST_UNUSED) return;
    for (; next < pooled.length; next++) {
      const { input, path, bytes } = pooled[next] as PooledInput;
      const isFull = bytesAhead + bytes > MOST_BYTES_AHEAD && asked.size > 0;
      if (isFull || asked.size >= INPUTS_AHEAD * workers) return;
      bytesAhead += bytes;
      asked.set(input, pool.ask({ path }));
    }
  }

  const places = new Map(pooled.map((one) => [one.input, one]));
  readAhead();
  return (input) => {
    const answer = asked.get(input);
    if (answer === undefined) return undefined;
    return answer.then((given) => {
      asked.delete(input);
      bytesAhead -= places.get(input)?.bytes ?? 0;
      const data = given?.data;
      if (data === undefined) unused++;
      readAhead();
      return data && { ...(JSON.parse(data.described) as DescribedInput), data };
    });
  };
}
