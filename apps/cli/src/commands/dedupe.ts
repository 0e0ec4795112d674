import { calibrateThresholds, type DuplicateGroup, groupDuplicates } from '@kp/curation';
import { codeOf } from '@kp/foundation';
import type { Command } from 'commander';
import { conflict, wrongUse } from '../output/errors.ts';
import type { ExitStatus } from '../output/exit.ts';
import { addHelp } from '../output/help.ts';
import { checkWritable, createOutput, createWholeFile } from '../output/output.ts';
import { createSpill, type Spill, type SpilledText } from '../output/spill.ts';
import { count, fit, grouped, oneLine, shortId } from '../output/text.ts';
import { type Corpus, type CorpusRun, groupedRuns, readCorpus } from '../runs/corpus.ts';
import { openRuns } from '../runs/open-runs.ts';
import { addInputOptions, type InputFlags, parseShare } from '../runs/options.ts';
import { groupRuns } from '../runs/task-groups.ts';
import { describeMethod, loadBands } from '../scoring/bands.ts';

interface DedupeFlags extends InputFlags {
  readonly threshold?: number;
  readonly bands?: string;
  readonly estimate?: boolean;
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
    .option(
      '--threshold <similarity>',
      'count runs more similar than this as duplicates',
      parseShare,
    )
    .option('--bands <file>', 'use the threshold from kp calibrate --corpus')
    .option('--estimate', 'estimate the threshold without tasks; its error rate is unknown')
    .option('-o, --output <file>', 'write the recordings without duplicates to FILE')
    .option('--json', 'print the groups as JSON, one per line')
    .option('-q, --quiet', 'print no progress and no summary');
  addInputOptions(command);
  addHelp(command, {
    examples: [
      ['kp dedupe runs/', 'list duplicates'],
      ['kp dedupe runs/ -o unique.jsonl', 'write the runs without duplicates'],
      ['kp dedupe --threshold 0.9 runs/', 'set the similarity yourself'],
    ],
    notes: [
      'Without --threshold or --bands, kp calibrates the threshold on the tasks of the runs, at 10 % false duplicates. If runs name no task, or too few, only exact copies count as duplicates. From each group kp keeps the run with the best outcome, then with the best score.',
    ],
    no: 'there was no run to compare',
  });
  command.action(async (files: string[], flags: DedupeFlags) => {
    process.exitCode = await dedupe(files, flags);
  });
}

async function dedupe(files: readonly string[], flags: DedupeFlags): Promise<ExitStatus> {
  const { output: path } = flags;
  const { threshold: given, bands: bandsPath, estimate } = flags;
  if ([given, bandsPath, estimate].filter((flag) => flag !== undefined).length > 1) {
    throw conflict('--threshold', '--bands or --estimate');
  }
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
    const { threshold, method } = await chooseThreshold(corpus, flags);
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
      ...notes(),
    ];
    for (const line of flags.quiet === true ? [] : lines) terminal.progress.message(line);
    return status;
  } finally {
    await spill?.close();
  }
}

async function chooseThreshold(
  corpus: Corpus,
  flags: DedupeFlags,
): Promise<{ readonly threshold: number; readonly method: string }> {
  if (flags.threshold !== undefined) return { threshold: flags.threshold, method: 'as given' };
  if (flags.bands !== undefined) {
    const bands = await loadBands(flags.bands);
    const vectors = corpus.reports[0]?.novelty.embedder;
    if (vectors !== undefined && bands.vectors !== vectors) {
      const expected = 'bands of kp calibrate --corpus';
      throw wrongUse(`--bands ${flags.bands}`, expected, `bands for ${bands.vectors}`);
    }
    return { threshold: bands.redundantAbove, method: describeMethod(bands) };
  }
  const named = corpus.runs.length > 0 && corpus.runs.every(({ fields }) => fields.task !== null);
  const exactOnly = (why: string) => ({ threshold: 1, method: `as ${why}: see --threshold` });
  if (!named && flags.estimate !== true) return exactOnly('not every run names its task');
  try {
    const tasks = groupRuns(groupedRuns(corpus), 'task').keys;
    const groups = flags.estimate === true ? undefined : tasks;
    const bands = calibrateThresholds(corpus.graph, { groups });
    return { threshold: bands.redundantAbove, method: describeMethod(bands) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'TOO_FEW_GROUPS') return exactOnly('there are too few tasks to calibrate on');
    if (code === 'CURATION_INPUT_INVALID')
      return exactOnly('there are too few runs to estimate from');
    throw error;
  }
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
