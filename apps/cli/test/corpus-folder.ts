import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { traceLine } from './traces.ts';

const THINGS = ['login test', 'trip to Rome', 'query', 'build', 'invoice', 'kettle', 'router'];
const WORDS = ['slow', 'broken', 'missing', 'wrong', 'late', 'double', 'empty', 'loud'];

/** Lines of traces: several runs of each task, some of which failed. */
export function corpusLines(runs: number, offset = 0): string[] {
  return Array.from({ length: runs }, (_, at) => {
    const index = at + offset;
    const task = (index * 7919) % Math.ceil(runs / 3);
    const word = WORDS[task % WORDS.length];
    const objective = `Look at the ${word} ${THINGS[task % THINGS.length]} number ${task % 101} of ${task}`;
    const trace = JSON.parse(traceLine(`run-${index}`, objective));
    trace.metadata.success = index % 5 !== 0;
    trace.steps[1].input = { path: `file ${task} ${index % 4}` };
    return JSON.stringify(trace);
  });
}

/** The contents of all files beside a selection, by name, without what says where it was made. */
export async function filesBeside(output: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = { selection: await readFile(output, 'utf8') };
  for (const name of ['scores.jsonl', 'scores.parquet']) {
    found[name] = (await readFile(`${output}.${name}`)).toString('base64');
  }
  const record = JSON.parse(await readFile(`${output}.provenance.json`, 'utf8'));
  const { sources, method, chosen } = record.predicate;
  found.provenance = JSON.stringify({ sources, method, chosen });
  return found;
}

/** The objects of a folder of shards by name, without the records of when they were made. */
export async function objectsIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(folder)).toSorted()) {
    if (name.endsWith('.done')) continue;
    found[name] = (await readFile(join(folder, name))).toString('base64');
  }
  return found;
}
