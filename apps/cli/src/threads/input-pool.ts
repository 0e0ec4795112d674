import type { Input } from '../runs/inputs.ts';
import type { DescribedInput, InputRequest, WorkerAnswer } from '../runs/prepared-data.ts';
import type { ReadInput } from '../runs/restored-input.ts';
import type { WorkerPool } from './worker-pool.ts';

/** An input to deal. */
export interface DealtInput {
  readonly input: Input;
  readonly path: string;
  /** Bytes once it is unpacked. */
  readonly bytes: number;
}

/** Inputs that were read and wait for their turn have at most this many bytes in all, or are a single one. */
const MOST_BYTES_AHEAD = 2 ** 25;
/** Inputs that are read ahead for each worker. */
const INPUTS_AHEAD = 8;
/**
 * No input is read ahead once this many could not be used: the others probably cannot either, because the runs of
 * their format may continue in other inputs.
 */
const MOST_UNUSED = 4;

/**
 * Reads inputs in worker threads, some ahead of their turn.
 *
 * @param dealt - in the order of their turns.
 * @param workers - number of threads in the pool.
 * @returns a function to call for each of these inputs when its turn comes.
 */
export function createInputPool(
  dealt: readonly DealtInput[],
  pool: WorkerPool<InputRequest, WorkerAnswer>,
  workers: number,
): (input: Input) => Promise<ReadInput | undefined> | undefined {
  const asked = new Map<Input, Promise<WorkerAnswer | undefined>>();
  let next = 0;
  let bytesAhead = 0;
  let unused = 0;

  function readAhead(): void {
    if (unused >= MOST_UNUSED) return;
    for (; next < dealt.length; next++) {
      const { input, path, bytes } = dealt[next] as DealtInput;
      const isFull = bytesAhead + bytes > MOST_BYTES_AHEAD && asked.size > 0;
      if (isFull || asked.size >= INPUTS_AHEAD * workers) return;
      bytesAhead += bytes;
      asked.set(input, pool.ask({ path }));
    }
  }

  const places = new Map(dealt.map((one) => [one.input, one]));
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
