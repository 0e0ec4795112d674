import { safeParseTrace } from '@knowledgepulse/sdk';
import { createImportSession, type ImportedTrace, type ImportOptions } from '@kp/importers';
import { readFileOrDatabase } from '../runs/inputs/read-file.ts';
import type {
  DescribedInput,
  DescribedItem,
  InputRequest,
  WorkerAnswer,
} from '../runs/prepared/prepared-data.ts';
import { createRunPreparation, type RunPreparation } from './prepare-runs.ts';
import type { RunNeeds } from './worker-settings.ts';

/** The runs of an input in memory. One with more is read run by run in the thread of the command. */
const MOST_BYTES = 2 ** 25;
const MOST_ITEMS = 50_000;
const TOO_MUCH = new Error('too much for one answer');

/** Creates the function that a worker applies to each input. */
export function createInputPreparation(
  options: ImportOptions,
  needs: RunNeeds,
): (request: InputRequest) => Promise<WorkerAnswer> {
  const preparation = createRunPreparation(needs);
  return async ({ path }) => {
    // Any error is left to the command, which meets and reports it when it reads the input itself.
    const described = await readInput(path, options, preparation).catch(() => undefined);
    const data = preparation.take(described ?? {});
    return { data: described && data };
  };
}

/** @returns undefined if the session of the command must read the input. */
async function readInput(
  path: string,
  options: ImportOptions,
  preparation: RunPreparation,
): Promise<DescribedInput | undefined> {
  const session = createImportSession(options);
  const items: DescribedItem[] = [];
  const add = async (item: ImportedTrace): Promise<void> => {
    items.push(await describe(item, preparation));
    if (items.length > MOST_ITEMS || preparation.bytes() > MOST_BYTES) throw TOO_MUCH;
  };
  for await (const item of session.read(readFileOrDatabase(path), path)) await add(item);
  // Runs may continue in other inputs, and traces without an agent are reported together.
  if (session.heldBytes() > 0 || session.report().tracesWithoutAgent > 0) return undefined;
  for await (const _ of session.end()) return undefined;
  return { items, report: session.report() };
}

async function describe(item: ImportedTrace, preparation: RunPreparation): Promise<DescribedItem> {
  if (item.kind === 'error') return { item };
  if (item.kind === 'trace' && safeParseTrace(item.trace).success) {
    const { trace, provenance, record, line, format, file = '' } = item;
    const place = { file, line, format };
    const run = await preparation.add({ trace, provenance, ...place, record });
    if (run !== undefined) return { run, place };
  }
  return { item };
}
