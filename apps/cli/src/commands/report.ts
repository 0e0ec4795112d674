import { messageOf } from '@kp/foundation';
import { type ReportContent, type ReportData, renderReport } from '@kp/report';
import type { Command } from 'commander';
import { refused, wrongUse } from '../output/errors.ts';
import { EXIT, type ExitStatus, worstStatus } from '../output/exit.ts';
import { addHelp } from '../output/help.ts';
import { checkWritable, writeWholeFile } from '../output/output.ts';
import { say } from '../output/terminal.ts';
import { count } from '../output/text.ts';
import { buildCorpus, type Corpus, createCorpusReader, readCorpus } from '../runs/corpus.ts';
import { openRuns } from '../runs/open-runs.ts';
import { addInputOptions, type InputFlags, parseCount, parseShare } from '../runs/options.ts';
import { readSavedScores } from '../runs/saved-scores.ts';
import { compareSets, createRunSet, type RunSet } from '../scoring/comparison.ts';
import { reportComparison, reportOf, reportOfScores } from '../views/report-content.ts';

interface ReportFlags extends InputFlags {
  readonly output: string;
  readonly title?: string;
  readonly threshold: number;
  readonly picks: number;
  readonly includeText?: boolean;
  readonly redact: readonly RegExp[];
  readonly compare?: string;
  readonly open?: boolean;
  readonly quiet?: boolean;
}

export function addReportCommand(program: Command): void {
  const command = program
    .command('report')
    .summary('write scored runs as an HTML page with plots')
    .description(
      'Writes one HTML page with scores, plots and the runs worth reading. The page works offline and contains no texts of the runs unless you ask for them.',
    )
    .argument(
      '<files...>',
      'recordings, folders, output of kp score --json, or - for standard input',
    )
    .option('-o, --output <file>', 'the page to write', 'report.html')
    .option('--title <text>', 'title of the page (default: the file names)')
    .option('--threshold <score>', 'count runs with this score as good', parseShare, 0.5)
    .option('--picks <count>', 'recommend this many runs to read', parseCount, 10)
    .option('--include-text', 'include objectives and the start of each step')
    .option(
      '--redact <pattern>',
      'with --include-text: hide matches of this regular expression',
      addPattern,
      [],
    )
    .option('--compare <base>', 'compare with these runs, task by task')
    .option('--open', 'open the page in the browser')
    .option('-q, --quiet', 'print no progress');
  addInputOptions(command);
  addHelp(command, {
    examples: [
      ['kp report runs/ -o report.html --open', 'write the page and open it'],
      ['kp report new/ --compare base/', 'compare two sets of runs'],
      ['kp report scores.jsonl', 'read what kp score --json printed'],
      ["kp report runs/ --include-text --redact '\\b\\d{3}-\\d{4}\\b'", 'hide phone numbers'],
    ],
    notes: [
      'Scores in the page do not depend on the order of the runs, as with kp score --corpus.',
    ],
    no: 'there was no run to show',
  });
  command.action(async (files: string[], flags: ReportFlags) => {
    process.exitCode = await report(files, flags);
  });
}

/** @returns the exit status. */
async function report(files: readonly string[], flags: ReportFlags): Promise<ExitStatus> {
  if (flags.redact.length > 0 && flags.includeText !== true) {
    throw wrongUse('--redact', '--include-text', 'none', 'without it the page shows no text');
  }
  await checkWritable(flags.output, '-o');
  const saved = await readSavedScores(files);
  const { data, status, notes } =
    saved === undefined
      ? await fromRecordings(files, flags)
      : { data: reportOfScores(saved, contentOptions(files, flags)), status: EXIT.done, notes: [] };
  if (data.runs.length === 0) {
    say(`no run to show: ${flags.output} was not written`);
    return worstStatus([status, EXIT.no]);
  }
  await writeWholeFile(flags.output, '-o', await renderReport(data));
  if (flags.quiet !== true) {
    for (const note of notes) say(note);
    const withheld = flags.includeText === true ? '' : ', without their texts';
    say(`${count(data.runs.length, 'run')}${withheld} in ${flags.output}`);
  }
  if (flags.open === true) await openInBrowser(flags.output);
  return status;
}

interface Made {
  readonly data: ReportData;
  readonly status: ExitStatus;
  readonly notes: readonly string[];
}

async function fromRecordings(files: readonly string[], flags: ReportFlags): Promise<Made> {
  const opened = await openRuns(files, flags);
  const { terminal } = opened;
  const reader = createCorpusReader({ withContent: flags.includeText });
  const runs = await reader.read(opened);
  const corpus = await buildCorpus(runs, reader.vectors(), terminal.stopped);
  const data = await reportOf(corpus, {
    ...contentOptions(files, flags),
    notes: opened.notes().map((text) => ({ level: 'note', text })),
    comparison: await comparisonWith(flags, corpus, files),
  });
  return { data, status: opened.close(), notes: opened.notes() };
}

/** The base scored as a corpus of its own, so that neither set is new at the other's cost. */
async function comparisonWith(
  flags: ReportFlags,
  corpus: Corpus,
  files: readonly string[],
): Promise<ReportContent['comparison']> {
  const { compare } = flags;
  if (compare === undefined) return undefined;
  const opened = await openRuns([compare], { ...flags, quiet: true });
  const base = await readCorpus(opened);
  opened.close();
  return reportComparison(compareSets(setOf(base), setOf(corpus)), compare, titleOf(files));
}

function setOf({ runs, reports }: Corpus): RunSet {
  const set = createRunSet();
  for (const [index, { run, fields }] of runs.entries()) {
    const report = reports[index];
    if (report !== undefined) set.add({ report, run, fields });
  }
  return set;
}

function contentOptions(files: readonly string[], flags: ReportFlags): ReportContent {
  return {
    title: flags.title ?? titleOf(files),
    threshold: flags.threshold,
    pickCount: flags.picks,
    includeText: flags.includeText === true,
    redact: flags.redact,
  };
}

const NAMED_FILES = 3;

function titleOf(files: readonly string[]): string {
  const named = files.slice(0, NAMED_FILES).join(', ');
  const more = files.length - NAMED_FILES;
  return more > 0 ? `${named} and ${more} more` : named;
}

function addPattern(text: string, previous: readonly RegExp[]): readonly RegExp[] {
  try {
    return [...previous, new RegExp(text, 'gu')];
  } catch (error) {
    throw refused(`--redact ${text}`, error);
  }
}

/** Opens the page; that a machine has no browser is said, and no failure. */
async function openInBrowser(path: string): Promise<void> {
  const { default: open } = await import('open');
  try {
    const child = await open(path);
    child.on('error', (error) => say(`--open: ${messageOf(error)}`));
  } catch (error) {
    say(`--open: ${messageOf(error)}`);
  }
}
