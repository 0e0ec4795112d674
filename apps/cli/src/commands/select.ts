import { Command, Option } from 'commander';
import { describeChoice } from '../choice-summary.ts';
import { type Choice, type ChoiceFlags, chooseRuns, QUALITIES } from '../choose-runs.ts';
import { conflict, wrongUse } from '../errors.ts';
import { EXIT, type ExitStatus } from '../exit.ts';
import { addInputOptions, parseCount } from '../options.ts';
import { checkWritable, createOutput, createWholeFile } from '../output.ts';
import { digestSources, methodOf, recordPath, selectionRecord } from '../selection-record.ts';
import { createSpill } from '../spill.ts';
import { addGroupOption } from '../task-groups.ts';
import { colorsFor } from '../terminal.ts';
import { count } from '../text.ts';
import { TRAINING_FORMATS } from '../training-formats.ts';
import { verifySelection } from '../verify-selection.ts';
import { writeSelection } from '../written-selection.ts';

interface SelectFlags extends ChoiceFlags {
  readonly output?: string;
  readonly json?: boolean;
  readonly verify?: string;
}

/** Does what the options of the command say. */
type SelectAction = (
  files: readonly string[],
  flags: SelectFlags,
  words: readonly string[],
) => Promise<ExitStatus>;

export function addSelectCommand(program: Command, version: string): void {
  const command = defineSelect(program, (files, flags, words) => {
    return flags.verify === undefined
      ? select(files, flags, words, version)
      : verifySelection(flags.verify, files, parseSelect, version);
  });
  command.addHelpText(
    'after',
    `
Runs that verifiably succeeded are chosen from, where outcomes are known, so that few of them stand
for all runs read. The order of the input changes nothing.

Examples:
  kp select runs/ --top 50 -o best.jsonl              the recordings themselves
  kp select runs/ --top 50 --format openai -o train.jsonl
  kp select new/ --seeded-by best.jsonl --top 20 --json
  kp select --verify best.jsonl                       is it still what the sources give?

Beside the output, FILE.provenance.json says how it came about, for --verify.`,
  );
}

/** The options of the command, for running it and for reading those of an earlier run. */
function defineSelect(program: Command, action: SelectAction): Command {
  const command = program
    .command('select')
    .summary('choose the runs that stand for all')
    .description('Chooses the runs that stand for all: training data, or what to review first.')
    .argument('[files...]', 'recordings; folders; - for standard input')
    .option(
      '--top <count>',
      'choose at most so many (default: until nothing is gained)',
      parseCount,
    )
    .option('-o, --output <file>', 'write the chosen runs there, and how it came about beside it')
    .addOption(
      new Option(
        '--format <name>',
        'what is written: the recordings as they are, or another format',
      )
        .choices(TRAINING_FORMATS)
        .default('native'),
    )
    .option('--json', 'the ranking in place of the runs, one object a line')
    .addOption(
      new Option('--objective <name>', 'what is maximised; the others are for comparison')
        .choices(['facility-location', 'mmr', 'k-center'])
        .default('facility-location'),
    )
    .addOption(
      new Option('--quality <what>', 'what a run counts by when it stands for others')
        .choices(QUALITIES)
        .default('none'),
    )
    .option(
      '--per-group <count>',
      'at most this many of one task, or of one group of --group-by',
      parseCount,
    )
    .option('--min-gain <runs>', 'end when a run stands for less than so many more', parseGain)
    .option('--no-outcomes', 'choose from failures and runs without a verdict, too')
    .option('--seeded-by <file>', 'runs that you have: choose what adds to them')
    .option('--verify <file>', 'say whether the sources still give what was written there')
    .option('-q, --quiet', 'no progress and no summary');
  addGroupOption(command);
  addInputOptions(command, '--input-format');
  return command.action(async (files: string[], flags: SelectFlags) => {
    const words = (program as Command & { rawArgs?: readonly string[] }).rawArgs ?? [];
    process.exitCode = await action(files, flags, words.slice(words.indexOf('select') + 1));
  });
}

/** What earlier words of the command meant. */
function parseSelect(words: readonly string[]): { files: readonly string[]; flags: SelectFlags } {
  let parsed: { files: readonly string[]; flags: SelectFlags } | undefined;
  const program = new Command().exitOverride();
  const command = defineSelect(program, async (files, flags) => {
    parsed = { files, flags };
    return EXIT.done;
  });
  command.exitOverride();
  program.parse(['select', ...words], { from: 'user' });
  if (parsed === undefined) throw wrongUse('--verify', 'the words of kp select', words.join(' '));
  return parsed;
}

async function select(
  files: readonly string[],
  flags: SelectFlags,
  words: readonly string[],
  version: string,
): Promise<ExitStatus> {
  const { output, json, format } = flags;
  if (json === true && (output !== undefined || format !== 'native')) {
    throw conflict('--json', '-o or --format', 'it prints the ranking alone');
  }
  if (format === 'parquet' && output === undefined) {
    throw wrongUse('--format parquet', '-o with a file', 'none');
  }
  if (output !== undefined) await checkWritable(output, '-o');
  // What comes by standard input cannot be read again to verify the selection.
  const isVerifiable = !files.includes('-') && flags.seededBy !== '-';
  const spill = json === true ? undefined : await createSpill();
  try {
    const { opened, choice } = await chooseRuns(files, flags, spill);
    const { terminal, notes, close } = opened;
    const lines = describeChoice(choice, flags.top, colorsFor(process.stderr));
    if (spill === undefined) await printRanking(choice);
    else if (output === undefined)
      await writeSelection(choice, format, spill, createOutput(process.stdout));
    else {
      const file = await createWholeFile(output, '-o');
      const recordFile = isVerifiable ? await createWholeFile(recordPath(output), '-o') : undefined;
      try {
        const written = await writeSelection(choice, format, spill, file);
        if (recordFile !== undefined) {
          const sources = await digestSources(files, flags);
          const method = methodOf(choice, flags, version);
          const record = selectionRecord(output, written.sha256, words, sources, method, choice);
          await recordFile.write(`${JSON.stringify(record, null, 1)}\n`);
        }
        terminal.stopped.throwIfAborted();
        await file.keep();
        await recordFile?.keep();
        if (written.withoutTools > 0) {
          lines.push(`${count(written.withoutTools, 'run')} without the schemas of their tools`);
        }
        lines.push(
          recordFile === undefined
            ? `written to ${output}, without provenance: standard input cannot be verified`
            : `written to ${output}, with provenance in ${recordPath(output)}`,
        );
      } finally {
        await file.discard();
        await recordFile?.discard();
      }
    }
    const status = close({ no: choice.eligible.length === 0 });
    for (const line of flags.quiet === true ? [] : [...lines, ...notes()]) {
      terminal.progress.message(line);
    }
    return status;
  } finally {
    await spill?.close();
  }
}

/** One line a chosen run, best first. */
async function printRanking({ corpus, selection }: Choice): Promise<void> {
  const output = createOutput(process.stdout);
  const represents = new Map<number, number>();
  for (const by of selection.representedBy) represents.set(by, (represents.get(by) ?? 0) + 1);
  for (const [index, run] of selection.ranking.entries()) {
    const { trace: id, ...fields } = corpus.runs[run]?.fields ?? { trace: '' };
    const line = {
      id,
      rank: index + 1,
      gain: selection.gains[index],
      represents: represents.get(run) ?? 0,
      score: corpus.reports[run]?.score,
      ...fields,
    };
    await output.json(line);
  }
}

function parseGain(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value;
  throw wrongUse('--min-gain', 'a number of at least 0', text);
}
