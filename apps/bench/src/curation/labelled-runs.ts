import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ReasoningTrace } from '@knowledgepulse/sdk';
import { contentKey } from '@kp/curation';
import { importTraces } from '@kp/importers';

/** A recorded run whose task is known, which no method under measurement is told. */
export interface LabelledRun {
  readonly trace: ReasoningTrace;
  readonly key: string;
  readonly task: string;
  /** By a verdict of the recording; undefined where it has none. */
  readonly success: boolean | undefined;
}

export interface LabelledCorpus {
  readonly name: string;
  readonly runs: readonly LabelledRun[];
}

/** The recordings of an argument hold no run that names its task. */
export class CorpusError extends Error {
  override readonly name = 'CorpusError';
}

/**
 * Reads a corpus as an argument names it: `NAME=PATH,PATH…`, or `PATH,PATH…`; a semicolon in
 * place of a comma begins recordings of another list of tasks, whose names may be the same. Of folders
 * all recordings are read, in the order of their names; runs that name no task are left out.
 *
 * @throws {@link CorpusError} when no run names its task, or nothing is there.
 */
export async function readCorpus(argument: string): Promise<LabelledCorpus> {
  const [, name, paths = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(argument) ?? [];
  const runs: LabelledRun[] = [];
  for (const [list, ofList] of paths.split(';').entries()) {
    for (const path of ofList.split(',')) {
      for (const file of await filesAt(path)) runs.push(...(await runsIn(file, list)));
    }
  }
  if (runs.length > 0) return { name: name ?? basename(paths), runs };
  throw new CorpusError(`${argument}: expected recordings that name their tasks, received none`);
}

async function runsIn(file: string, list: number): Promise<LabelledRun[]> {
  const runs: LabelledRun[] = [];
  for await (const item of importTraces(createReadStream(file), { assumeSuccess: true })) {
    if (item.kind !== 'trace' || item.provenance === undefined) continue;
    const { trace, provenance } = item;
    // As the recording has it: what tools make of it may name the domain, too.
    const { task_id, instance_id } = provenance.source;
    const task = task_id ?? instance_id ?? provenance.task;
    if (task === undefined) continue;
    const isKnown = provenance.success !== 'assumed' && provenance.success !== 'unknown';
    const success = isKnown ? trace.metadata.success : undefined;
    runs.push({ trace, key: await contentKey(trace), task: `${list}/${task}`, success });
  }
  return runs;
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    throw new CorpusError(`${path}: expected a file or a folder, received nothing of that name`);
  }
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(json|jsonl|traj)(\.gz)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
