import { codeOf, messageOf } from '@kp/foundation';
import {
  type ByteSearch,
  type DurableMemory,
  type Erasure,
  type MemoryCheck,
  openMemory,
} from '@kp/memory';
import { backupSqliteMemory } from '@kp/memory/sqlite';
import type { Command } from 'commander';
import { refused, wrongUse } from '../output/errors.ts';
import { EXIT, type ExitStatus } from '../output/exit.ts';
import type { HelpTexts } from '../output/help.ts';
import { createOutput } from '../output/output.ts';
import { say } from '../output/terminal.ts';
import { count } from '../output/text.ts';
import { memoryFile } from '../runs/output-place.ts';
import { asUse, keySecret, sayWarning } from '../scoring/memory.ts';
import { type ErasedWork, eraseWork, findWork } from '../work/erase-work.ts';

interface MaintenanceFlags {
  readonly namespace: string;
  readonly queue?: string;
  readonly erased?: readonly string[];
  readonly json?: boolean;
}

const QUEUE_HELP =
  'database of kp work, if it is not the location; its reports and queue are included';

/** Adds a command with a location argument and, unless it applies to a whole store, a namespace. */
export type AddMemoryCommand = (
  name: string,
  summary: string,
  help?: Partial<Pick<HelpTexts, 'notes' | 'no'>> & { readonly isOfStore?: boolean },
) => Command;

export function addMaintenanceCommands(add: AddMemoryCommand): void {
  add('erase', 'erase traces from memory, reports and queue, and check the bytes', {
    notes: [
      'You can repeat the command: it finishes what an earlier call could not finish. "now" means that no file of the store contains the bytes, "pending" that one still does, "unknown" that kp cannot read some files.',
    ],
    no: 'a file still contains the bytes',
  })
    .argument('<ids...>', 'ids of traces')
    .option('--queue <url>', QUEUE_HELP)
    .option('--json', 'print JSON')
    .action(async (location: string, ids: string[], flags: MaintenanceFlags) => {
      process.exitCode = await erase(location, ids, flags);
    });
  add('verify', 'check a memory for damage', {
    notes: [
      'kp checks positions, digests, dimensions and the embedder. The digest covers ids and vectors in order, so a restored backup has the same digest as its original.',
    ],
    no: 'kp found a problem, or bytes of erased traces',
  })
    .option('--erased <ids...>', 'look for bytes of erased traces instead')
    .option('--queue <url>', QUEUE_HELP)
    .option('--json', 'print JSON')
    .action(async (location: string, flags: MaintenanceFlags) => {
      process.exitCode = await verify(location, flags);
    });
  add('backup', 'copy a SQLite memory while it is in use')
    .argument('<file>', 'the new file')
    .action(async (location: string, file: string) => {
      process.exitCode = await backup(location, file);
    });
}

interface ErasedTrace extends Erasure {
  readonly id: string;
}

async function erase(
  location: string,
  ids: readonly string[],
  flags: MaintenanceFlags,
): Promise<ExitStatus> {
  const traces = await inMemory(location, flags, async (memory) => {
    const results: ErasedTrace[] = [];
    for (const id of ids) {
      let removed = 0;
      let last: Erasure | undefined;
      for (const key of keysOf(id)) {
        last = await memory.erase(key);
        removed += last.removed;
      }
      results.push({ id, bytesErased: last?.bytesErased ?? 'unknown', why: last?.why, removed });
    }
    return results;
  });
  const queue = queueOf(location, flags);
  const all = ids.flatMap(keysOf);
  const work = queue === undefined ? undefined : await atQueue(() => eraseWork(queue, all));
  if (flags.json === true) await createOutput(process.stdout).json({ traces, work }, 2);
  else report(traces, work);
  return traces.some(({ bytesErased }) => bytesErased === 'pending') ? EXIT.no : EXIT.done;
}

function report(traces: readonly ErasedTrace[], work: ErasedWork | undefined): void {
  const removed = traces.filter((trace) => trace.removed > 0).length;
  say(`${count(removed, 'trace')} erased from the memory`);
  if (work !== undefined) {
    const { reports, references, jobs } = work;
    say(
      `${count(reports, 'report')} and ${count(jobs, 'queued trace')} erased, ${count(references, 'reference')} removed from other reports`,
    );
  }
  for (const reason of new Set(traces.map(({ bytesErased, why }) => `${bytesErased}: ${why}`))) {
    if (!reason.startsWith('now')) say(`bytes ${reason}`);
  }
}

async function verify(location: string, flags: MaintenanceFlags): Promise<ExitStatus> {
  const output = createOutput(process.stdout);
  if (flags.erased !== undefined) return verifyErased(location, flags.erased, flags);
  const check = await inMemory(location, flags, (memory) => memory.verify()).catch(
    (error: unknown): MemoryCheck => {
      // The memory is too damaged to be opened.
      if (codeOf(Reflect.get(Object(error), 'cause')) !== 'MEMORY_DAMAGED') throw error;
      return { entries: 0, digest: '', problems: [messageOf(error)] };
    },
  );
  if (flags.json === true) await output.json(check, 2);
  else {
    const { entries, digest, problems } = check;
    for (const problem of problems) say(`problem ${problem}`);
    if (digest !== '') await output.write(`${count(entries, 'trace')}, sha256 ${digest}\n`);
  }
  return check.problems.length > 0 ? EXIT.no : EXIT.done;
}

async function verifyErased(
  location: string,
  ids: readonly string[],
  flags: MaintenanceFlags,
): Promise<ExitStatus> {
  const keys = ids.flatMap(keysOf);
  const search = await inMemory(location, flags, async (memory): Promise<ByteSearch> => {
    const found = new Set<string>();
    const unseen = new Set<string>();
    // Ids can be given twice, in their short and long form.
    for (const key of new Set(keys)) {
      const each = await memory.findBytes(key);
      for (const place of each.found) found.add(place);
      for (const place of each.unseen) unseen.add(place);
    }
    return { found: [...found], unseen: [...unseen] };
  });
  const queue = queueOf(location, flags);
  const inQueue = queue === undefined ? [] : await atQueue(() => findWork(queue, keys));
  const found = [...search.found, ...inQueue];
  const { unseen } = search;
  if (flags.json === true) await createOutput(process.stdout).json({ found, unseen }, 2);
  else {
    for (const place of found) say(`found in ${place}`);
    for (const place of unseen) say(`cannot look into ${place}`);
    if (found.length + unseen.length === 0) say('not found');
  }
  if (found.length > 0) return EXIT.no;
  return unseen.length > 0 ? EXIT.problems : EXIT.done;
}

async function backup(location: string, file: string): Promise<ExitStatus> {
  const scheme = /^([a-z][a-z\d+.-]+):/i.exec(location)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'sqlite') {
    const remedy = 'docs/memory.md describes backups of Postgres and Redis';
    throw wrongUse('backup', 'a SQLite file', `${scheme}:`, remedy);
  }
  await asUse('', () => backupSqliteMemory(memoryFile(location), file));
  say(`copied to ${file}`);
  return EXIT.done;
}

/**
 * The keys of a trace: with and without the id prefix, because it may have been remembered under
 * either.
 */
function keysOf(id: string): readonly string[] {
  return id.startsWith('kp:trace:') ? [id] : [id, `kp:trace:${id}`];
}

/** Location of the `kp work` database. Default: that of the memory. */
function queueOf(location: string, { queue }: MaintenanceFlags): string | undefined {
  if (queue !== undefined) return queue;
  return /^postgres(ql)?:/i.test(location) ? location.replace(/[?&]index=\w+/, '') : undefined;
}

async function atQueue<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw refused('--queue', error);
  }
}

async function inMemory<T>(
  location: string,
  { namespace }: MaintenanceFlags,
  task: (memory: DurableMemory) => Promise<T>,
): Promise<T> {
  const memory = await asUse('', () =>
    openMemory(location, { namespace, hashKeys: keySecret(), onWarning: sayWarning('') }),
  );
  try {
    return await asUse('', () => task(memory));
  } finally {
    await memory.close();
  }
}
