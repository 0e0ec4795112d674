import { createReadStream } from 'node:fs';
import {
  type DurableMemory,
  exportMemory,
  type MemoryIndex,
  openMemory,
  readTransfer,
} from '@kp/memory';
import { migratePostgresMemory } from '@kp/memory/postgres';
import { type Command, Option } from 'commander';
import { wrongUse } from '../output/errors.ts';
import { EXIT, type ExitStatus } from '../output/exit.ts';
import { createOutput, createWholeFile } from '../output/output.ts';
import { renderTable } from '../output/table.ts';
import { listenForInterrupts, say } from '../output/terminal.ts';
import { count, grouped, printable } from '../output/text.ts';
import { parseCount } from '../runs/options.ts';
import { asUse, keySecret } from '../scoring/memory.ts';
import { addMaintenanceCommands } from './memory-maintenance.ts';

interface MemoryFlags {
  readonly namespace: string;
  readonly json?: boolean;
}

interface MigrateFlags extends MemoryFlags {
  readonly to: MemoryIndex;
  readonly memorySize?: number;
}

/** How many entries are imported in one step. */
const AT_ONCE = 256;

export function addMemoryCommand(program: Command): void {
  const command = program
    .command('memory')
    .summary('look into a memory, erase from it, check, copy and move it')
    .description(
      'Looks into a memory that kp score --memory fills, erases traces, checks it, copies it and moves it elsewhere. A LOCATION is a file, sqlite:FILE, postgres://… or redis://…',
    )
    .addHelpText(
      'after',
      `
Examples:
  kp memory stats seen.db
  kp memory forget seen.db kp:trace:5f0c
  kp memory erase postgres://localhost/kp kp:trace:5f0c
  kp memory verify seen.db
  kp memory backup seen.db copy.db
  kp memory export seen.db > seen.jsonl
  kp memory import postgres://localhost/kp seen.jsonl
  kp memory import seen.db seen.kpvc         a snapshot of earlier versions
  kp memory migrate postgres://localhost/kp --to hnsw`,
    );
  const add = (name: string, summary: string): Command =>
    command
      .command(name)
      .summary(summary)
      .description(summary)
      .argument('<location>', 'a file, sqlite:FILE, postgres://… or redis://…')
      .option('--namespace <name>', 'which memory of the store', 'default');
  add('stats', 'what a memory holds, and what it takes')
    .option('--json', 'as JSON')
    .action((location: string, flags: MemoryFlags) =>
      inMemory(location, flags, (memory) => stats(memory, flags)),
    );
  add('forget', 'erase what is remembered of traces')
    .argument('<ids...>', 'ids of traces')
    .addHelpText(
      'after',
      '\nExit status: 0 all were remembered and are erased, 1 some was not there.',
    )
    .action((location: string, ids: string[], flags: MemoryFlags) =>
      inMemory(location, flags, (memory) => forget(memory, ids)),
    );
  add('export', 'write a memory as lines of JSON')
    .argument('[file]', 'where to; left out: standard output')
    .action((location: string, file: string | undefined, flags: MemoryFlags) =>
      inMemory(location, flags, (memory) => exportTo(memory, file)),
    );
  add('import', 'add an export, or a snapshot of earlier versions, to a memory')
    .argument('<file>', 'an export or a snapshot; - for standard input')
    .addOption(
      new Option('--memory-size <count>', 'how many traces a new memory remembers').argParser(
        Number,
      ),
    )
    .action(
      async (location: string, file: string, flags: MemoryFlags & { memorySize?: number }) => {
        process.exitCode = await importFrom(location, file, flags);
      },
    );
  add('migrate', 'let Postgres search a memory by pgvector, or the processes by its log again')
    .addOption(
      new Option('--to <index>', 'hnsw: the server, approximately; log: each process, exactly')
        .choices(['hnsw', 'log'])
        .makeOptionMandatory(),
    )
    .option('--memory-size <count>', 'how many traces it remembers from then on', parseCount)
    .addHelpText(
      'after',
      `
Started again after a kill, it goes on where it was; several at once do the work together. On the way
to hnsw all are served; on the way to the log nothing is remembered until it is done. Naming the index
that the memory has gives up a migration that was begun.`,
    )
    .action((location: string, flags: MigrateFlags) => migrate(location, flags));
  addMaintenanceCommands(add);
}

/** Opens a memory that is there, whatever embedder filled it. */
async function inMemory(
  location: string,
  { namespace }: MemoryFlags,
  task: (memory: DurableMemory) => Promise<ExitStatus>,
): Promise<void> {
  const memory = await asUse('', () => openMemory(location, { namespace, hashKeys: keySecret() }));
  try {
    process.exitCode = await asUse('', () => task(memory));
  } finally {
    await memory.close();
  }
}

async function stats(memory: DurableMemory, { json }: MemoryFlags): Promise<ExitStatus> {
  const facts = await memory.stats();
  const output = createOutput(process.stdout);
  if (json === true) {
    await output.json(facts, 2);
    return EXIT.done;
  }
  const rows = Object.entries(facts).map(([name, value]) => {
    const shown = typeof value === 'number' ? grouped(value) : printable(String(value ?? 'none'));
    return [name, shown];
  });
  await output.print(renderTable([{ heading: 'fact' }, { heading: 'value' }], rows));
  return EXIT.done;
}

async function forget(memory: DurableMemory, ids: readonly string[]): Promise<ExitStatus> {
  const missing: string[] = [];
  for (const id of ids) {
    const key = id.startsWith('kp:trace:') ? id : `kp:trace:${id}`;
    const isForgotten = (await memory.forget(id)) || (key !== id && (await memory.forget(key)));
    if (!isForgotten) missing.push(id);
  }
  say(`${count(ids.length - missing.length, 'trace')} erased`);
  for (const id of missing) say(`not remembered: ${id}`);
  return missing.length > 0 ? EXIT.no : EXIT.done;
}

async function migrate(location: string, flags: MigrateFlags): Promise<void> {
  if (!/^postgres(ql)?:\/\//i.test(location)) {
    throw wrongUse(
      'migrate',
      'postgres://…, which alone has more than one index',
      JSON.stringify(location.split('//', 1)[0]),
    );
  }
  const { namespace, to, memorySize: maxElements } = flags;
  const copied = await asUse('', () =>
    migratePostgresMemory(location, {
      namespace,
      to,
      maxElements,
      onProgress: (step, rows) => {
        const what =
          step === 'copy' ? `${count(rows, 'row')} copied` : 'the server builds its index';
        say(what);
      },
      onWarning: ({ message }) => say(`kp: ${message}`),
    }),
  );
  const end = copied === 0 ? 'nothing to do' : `${count(copied, 'row')} moved to ${to}`;
  say(end);
}

async function exportTo(memory: DurableMemory, file: string | undefined): Promise<ExitStatus> {
  const interrupts = listenForInterrupts();
  const whole =
    file === undefined || file === '-' ? undefined : await createWholeFile(file, 'export to');
  const output = createOutput(process.stdout);
  try {
    for await (const line of exportMemory(memory)) {
      if (interrupts.signal.aborted) return EXIT.interrupted;
      await (whole ?? output).write(line);
      if (output.closed.aborted) break;
    }
    await whole?.keep();
    await output.settle();
    return EXIT.done;
  } finally {
    await whole?.discard();
    interrupts.release();
  }
}

async function importFrom(
  location: string,
  file: string,
  { namespace, memorySize: maxElements }: MemoryFlags & { readonly memorySize?: number },
): Promise<ExitStatus> {
  const source = file === '-' ? process.stdin : createReadStream(file);
  let memory: DurableMemory | undefined;
  let amount = 0;
  try {
    await asUse('', async () => {
      const { embedder, entries } = await readTransfer(source, file).catch((error) => {
        if (Reflect.get(error, 'syscall') === undefined) throw error;
        throw wrongUse(file, 'a file that can be read', error.message);
      });
      const hashKeys = keySecret();
      const opened = await openMemory(location, { namespace, embedder, maxElements, hashKeys });
      memory = opened;
      let batch: { key: string; vector: Float32Array }[] = [];
      for await (const entry of entries) {
        batch.push(entry);
        if (batch.length < AT_ONCE) continue;
        await opened.addAll(batch);
        amount += batch.length;
        batch = [];
      }
      await opened.addAll(batch);
      amount += batch.length;
    });
  } finally {
    await memory?.close();
  }
  say(`${count(amount, 'trace')} imported`);
  return EXIT.done;
}
