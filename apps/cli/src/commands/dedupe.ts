import { type DuplicateGroup, groupDuplicates } from '@kp/curation';
import type { Command } from 'commander';
import type { ExitStatus } from '../output/exit.ts';
import { addHelp } from '../output/help.ts';
import { checkWritable, createOutput, createWholeFile } from '../output/output.ts';
import { createSpill, type Spill, type SpilledText } from '../output/spill.ts';
import { count, fit, grouped, oneLine, shortId } from '../output/text.ts';
import { type Corpus, type CorpusRun, groupedRuns, readCorpus } from '../runs/corpus.ts';
import { openRuns } from '../runs/open-runs.ts';
import { addInputOptions, type InputFlags } from '../runs/options.ts';
import {
  addGroupOption,
  type GroupFlags,
  groupNotes,
  groupRuns,
  namedTasks,
} from '../runs/task-groups.ts';
import {
  addThresholdOptions,
  checkThresholdOptions,
  chooseThreshold,
  type ThresholdFlags,
} from '../selection/duplicate-threshold.ts';

interface DedupeFlags extends InputFlags, GroupFlags, ThresholdFlags {
  readonly output?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addDedupeCommand(program: Command): void {
  const command = program
    .command('dedupe')
    .summary('find duplicates and near-duplicates')
    .description('Finds groups of duplicates and near-duplicates, and the run to keep from each.')
    .argument('<files...>', 'recordings (also .gz), folders, or - (standard input)')
    .option('-o, --output <file>', 'write the recordings without duplicates to FILE')
    .option('--json', 'print the groups as JSON, one per line')
    .option('-q, --quiet', 'print no progress and no summary');
  addThresholdOptions(command);
  addGroupOption(command);
  addInputOptions(command);
  addHelp(command, {
    examples: [
      ['kp dedupe runs/', 'list duplicates'],
      ['kp dedupe runs/ -o unique.jsonl', 'write the runs without duplicates'],
      ['kp dedupe --threshold 0.9 runs/', 'set the similarity yourself'],
    ],
    notes: [
      'Without --threshold or --bands, kp calibrates the threshold on the tasks of the runs, at 10 % false duplicates. If no run names a task, or there are too few tasks, only exact copies count as duplicates. From each group kp keeps the run with the best outcome, then with the best score.',
    ],
    no: 'there was no run to compare',
  });
  command.action(async (files: string[], flags: DedupeFlags) => {
    process.exitCode = await dedupe(files, flags);
  });
}

async function dedupe(files: readonly string[], flags: DedupeFlags): Promise<ExitStatus> {
  const { output: path } = flags;
  checkThresholdOptions(flags);
  if (path !== undefined) await checkWritable(path, '-o');
  const spill = path === undefined ? undefined : await createSpill();
  try {
    const opened = await openRuns(files, flags);
    const { terminal, notes, close } = opened;
    const keep = spill && {
      spill,
      textOf: ({ record }: CorpusRun['run']) => JSON.stringify(record),
    };
    const corpus = await readCorpus(opened, { keep });
    const runs = groupedRuns(corpus);
    const tasks = groupRuns(runs, flags.groupBy);
    const { threshold, method } = await chooseThreshold(
      corpus,
      namedTasks(runs, tasks, flags.groupBy),
      flags,
    );
    const merits = corpus.runs.map(({ fields }, run) => ({
      success: fields.success ?? undefined,
      score: corpus.reports[run]?.score ?? 0,
    }));
    const groups = groupDuplicates(corpus.graph, merits, { threshold });
    const left = new Set(groups.flatMap(({ members }) => members.map(({ run }) => run)));
    if (path !== undefined && spill !== undefined) {
      await writeKept(corpus, left, path, spill, terminal.stopped);
    }
    await printGroups(corpus, groups, flags.json === true);
    const total = corpus.runs.length;
    const status = close({ no: total === 0 });
    const lines = [
      ...(total === 0
        ? ['no runs to compare']
        : [
            `${count(left.size, 'copy', 'copies')} in ${count(groups.length, 'group')}; ` +
              `${grouped(total - left.size)} of ${count(total, 'run')} kept`,
            threshold === 1
              ? `exact copies only, ${method}`
              : `copies are over ${threshold.toFixed(4)}, ${method}; exact ones always`,
          ]),
      ...(path === undefined ? [] : [`written to ${path}`]),
      ...(usesTasks(flags) ? groupNotes(tasks) : []),
      ...notes(),
    ];
    for (const line of flags.quiet === true ? [] : lines) terminal.progress.message(line);
    return status;
  } finally {
    await spill?.close();
  }
}

/** Whether the threshold may come from the tasks of the runs. */
function usesTasks({ threshold, bands, estimate }: ThresholdFlags): boolean {
  return threshold === undefined && bands === undefined && estimate === undefined;
}

/** In the order of the inputs. */
async function writeKept(
  corpus: Corpus,
  left: ReadonlySet<number>,
  path: string,
  spill: Spill,
  stopped: AbortSignal,
): Promise<void> {
  const file = await createWholeFile(path, '-o');
  try {
    const kept = corpus.runs.filter((_, run) => !left.has(run));
    for (const run of kept.toSorted((a, b) => a.position - b.position)) {
      await file.write(`${await spill.read(run.kept as SpilledText)}\n`);
    }
    stopped.throwIfAborted();
    await file.keep();
  } finally {
    await file.discard();
  }
}

const OBJECTIVE_WIDTH = 60;

async function printGroups(
  corpus: Corpus,
  groups: readonly DuplicateGroup[],
  asJson: boolean,
): Promise<void> {
  const output = createOutput(process.stdout);
  const runAt = (run: number): CorpusRun => corpus.runs[run] as CorpusRun;
  for (const { representative, members } of groups) {
    if (asJson) {
      const { trace, ...fields } = runAt(representative).fields;
      const copies = members.map(({ run, similarity }) => {
        const { trace: id, file, line, success } = runAt(run).fields;
        const exact = runAt(run).key === runAt(representative).key;
        return { id, similarity, exact, file, line, success };
      });
      await output.json({ keep: trace, ...fields, copies });
      continue;
    }
    const { fields } = runAt(representative);
    const objective = fit(oneLine(fields.objective), OBJECTIVE_WIDTH);
    await output.print(`keep  ${oneLine(shortId(fields.trace))}  ${objective}\n`);
    for (const { run, similarity } of members) {
      const exact = runAt(run).key === runAt(representative).key ? 'exact' : similarity.toFixed(2);
      await output.print(`  ${exact.padEnd(5)} ${oneLine(shortId(runAt(run).fields.trace))}\n`);
    }
  }
}
