import { createFinder, createTranscript, findInTranscript, type RunTranscript } from '@kp/report';
import type { SearchPart } from '../protocol.ts';
import type { ReadRuns } from './read-recordings.ts';

/**
 * Reads the texts of the run at an index from the store; the indexes of the base follow the others.
 */
export async function readTexts(
  { runs, store }: ReadRuns,
  place: number,
  base?: ReadRuns,
): Promise<RunTranscript | undefined> {
  const ofBase = place - runs.length;
  const trace = await (ofBase < 0 || base === undefined
    ? store.read(runs[place]?.stored ?? -1)
    : base.store.read(base.runs[ofBase]?.stored ?? -1));
  return trace === undefined ? undefined : createTranscript(trace).transcript;
}

const RUNS_A_PART = 100;

/** Searches the texts of all runs. */
export async function* searchTexts(
  { runs, store }: ReadRuns,
  query: string,
  isOver: () => boolean,
): AsyncGenerator<SearchPart> {
  const find = createFinder(query);
  if (find === undefined) return;
  const hits = new Map<number, number>();
  for (const [place, { stored }] of runs.entries()) {
    const trace = await store.read(stored);
    if (isOver()) return;
    if (trace !== undefined) {
      const tools = trace.steps.map(({ tool }) => tool?.name);
      const amount = findInTranscript(createTranscript(trace).transcript, tools, find).length;
      if (amount > 0) hits.set(place, amount);
    }
    if ((place + 1) % RUNS_A_PART === 0 || place === runs.length - 1) {
      yield { hits: new Map(hits), done: (place + 1) / runs.length };
    }
  }
}
