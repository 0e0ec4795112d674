import { describeRecurring } from '@kp/curation';
import { type ReportContent, type ReportData, renderReport } from '@kp/report';
import { type Command, InvalidArgumentError } from 'commander';
import { createRunAgreement } from '../outcomes/run-agreement.ts';
import { EXIT, type ExitStatus, worstStatus } from '../output/exit.ts';
import { addHelp } from '../output/help.ts';
import { writeWholeFile } from '../output/output.ts';
import { createSpill, type Spill } from '../output/spill.ts';
import { listenForInterrupts, say } from '../output/terminal.ts';
import { count, signed } from '../output/text.ts';
import { compareWith, placesOf } from '../report/compare-with.ts';
import { maskNotes } from '../report/masked-names.ts';
import { refuseForScores } from '../report/refuse-for-scores.ts';
import { reportOf, reportOfScores } from '../report/report-content.ts';
import { openInBrowser, serveReport } from '../report/report-server.ts';
import { createServedTexts } from '../report/served-texts.ts';
import { shortNames, titleOf } from '../report/short-names.ts';
import {
  askForTexts,
  checkTextFlags,
  pageCommandOf,
  type TextFlags,
} from '../report/text-choice.ts';
import { createTextMask } from '../report/text-mask.ts';
import { buildCorpus, type CorpusRun, createCorpusReader } from '../runs/corpus.ts';
import { openRuns } from '../runs/open-runs.ts';
import { parseCount, parseShare, patternsOf } from '../runs/option-parsers.ts';
import { joinSets, optionNotes } from '../runs/option-remarks.ts';
import { addInputOptions, type InputFlags } from '../runs/options.ts';
import { checkReport } from '../runs/output-place.ts';
import type { Run } from '../runs/run.ts';
import { readSavedScores } from '../runs/saved-scores.ts';
import { prepareCorpus } from '../threads/prepared-reading.ts';
import { storedText } from '../threads/stored-text.ts';

interface ReportFlags extends InputFlags, TextFlags {
  readonly output?: string;
  readonly title?: string;
  readonly threshold: number;
  readonly picks: number;
  readonly compare?: string;
  readonly open?: boolean;
  readonly quiet?: boolean;
}

const DEFAULT_OUTPUT = 'report.html';

export function addReportCommand(program: Command): void {
  const command = program
    .command('report')
    .description(
      'Writes one HTML page with scores, plots, the runs worth reading, and every run step by step. The page works offline and contains no texts of the runs unless you ask for them.',
    )
    .argument(
      '<files...>',
      'recordings, folders, output of kp score --json, or - for standard input',
    )
    .option('-o, --output <file>', `the page to write (default: "${DEFAULT_OUTPUT}")`)
    .option('--title <text>', 'title of the page (default: the file names)')
    .option('--threshold <score>', 'count runs with this score as good', parseShare, 0.5)
    .option('--picks <count>', 'recommend this many runs to read', parseCount, 10)
    .option('--include-text', 'include the texts of the runs, with secrets masked')
    .option('--no-include-text', 'leave texts out, and do not ask')
    .option('--raw', 'with texts: mask nothing')
    .option(
      '--redact <pattern>',
      'with texts: hide matches of this regular expression',
      patternsOf('--redact', 'gu'),
      [],
    )
    .option(
      '--serve [port]',
      'serve the page on 127.0.0.1 instead of writing it, and read texts on demand',
      parsePort,
    )
    .option('--compare <base>', 'compare with these runs, task by task')
    .option('--open', 'open the page in the browser')
    .option('-q, --quiet', 'print no progress');
  addInputOptions(command);
  addHelp(command, {
    examples: [
      ['kp report runs/ -o report.html --open', 'write the page and open it'],
      ['kp report runs/ --serve --open', 'read the runs in the browser, and write nothing'],
      ['kp report new/ --compare base/', 'compare two sets of runs'],
      ['kp report scores.jsonl', 'show saved output of kp score --json'],
      ["kp report runs/ --include-text --redact '\\b\\d{3}-\\d{4}\\b'", 'hide phone numbers'],
    ],
    notes: [
      'Scores in the page do not depend on the order of the runs, as with kp score --corpus.',
      'On a terminal, kp asks whether to include texts, unless an option decides it.',
    ],
    no: 'there was no run to show',
  });
  command.action(async (files: string[], flags: ReportFlags) => {
    process.exitCode = await report(files, flags, command);
  });
}

/** @returns The exit status. */
async function report(
  files: readonly string[],
  given: ReportFlags,
  command: Command,
): Promise<ExitStatus> {
  checkTextFlags(given);
  const { output = DEFAULT_OUTPUT, serve } = given;
  if (serve === undefined) await checkReport(output, '-o', { files, ...given });
  const saved = await readSavedScores(files);
  if (saved !== undefined) refuseForScores(command, files[0] ?? '', given);
  const canAsk = saved === undefined && serve === undefined && given.quiet !== true;
  const includeText = given.includeText ?? (canAsk && (await askForTexts()));
  const flags = { ...given, includeText, output: serve === undefined ? output : undefined };
  if (saved !== undefined) {
    const { runs, crashed, notes } = saved;
    const shown = notes.map((text) => ({ level: 'note', text }) as const);
    const data = reportOfScores(runs, { ...contentOptions(files, flags), crashed, notes: shown });
    return write({ data, status: EXIT.done, notes }, output, flags);
  }
  if (serve === undefined) return write(await fromRecordings(files, flags), output, flags);
  const spill = await createSpill();
  try {
    return await serveUntilStopped(await fromRecordings(files, flags, spill), flags);
  } finally {
    await spill.close();
  }
}

async function write(made: Made, output: string, flags: ReportFlags): Promise<ExitStatus> {
  const { data, status, notes } = made;
  if (data.runs.length === 0) {
    say(`no run to show: ${output} was not written`);
    return worstStatus([status, EXIT.no]);
  }
  await writeWholeFile(output, '-o', await renderReport(data));
  if (flags.quiet !== true) {
    for (const note of notes) say(note);
    const withheld = flags.includeText === true ? '' : ', without their texts';
    say(`${count(data.runs.length, 'run')}${withheld} in ${output}`);
    if (data.textCommand !== undefined) say(`with texts: ${data.textCommand}`);
  }
  if (flags.open === true) await openInBrowser(output);
  return status;
}

/** Serves the page until Ctrl-C. */
async function serveUntilStopped(made: Made, flags: ReportFlags): Promise<ExitStatus> {
  const { data, status, notes, texts } = made;
  if (data.runs.length === 0 || texts === undefined) {
    say('no run to show: nothing is served');
    return worstStatus([status, EXIT.no]);
  }
  const html = await renderReport(data, { isServed: true });
  const port = flags.serve === true ? 0 : (flags.serve ?? 0);
  const server = await serveReport({ html, ...texts }, port);
  const interrupts = listenForInterrupts();
  for (const note of notes) say(note);
  say(`${count(data.runs.length, 'run')} at ${server.address}; stop with Ctrl-C`);
  if (flags.open === true) await openInBrowser(server.address);
  await new Promise((resolve) => interrupts.signal.addEventListener('abort', resolve));
  interrupts.release();
  await server.close();
  return status;
}

interface Made {
  readonly data: ReportData;
  readonly status: ExitStatus;
  readonly notes: readonly string[];
  /** Source of the texts, which are read when a run is opened. */
  readonly texts?: ReturnType<typeof createServedTexts>;
}

/** @param spill - stores whole traces for a served page. */
async function fromRecordings(
  files: readonly string[],
  flags: ReportFlags,
  spill?: Spill,
): Promise<Made> {
  const opened = await openRuns(files, flags, 'reading', {
    otherSet: flags.compare === undefined ? undefined : [flags.compare],
    openPreparer: flags.includeText === true ? undefined : prepareCorpus(spill && 'trace', true),
  });
  const { terminal } = opened;
  const keep = spill && { spill, textOf: (run: Run) => storedText(run, 'trace') };
  const agreement = createRunAgreement({});
  const reader = createCorpusReader({
    withContent: flags.includeText,
    keep,
    onRun: agreement.add,
  });
  const runs = withAgreement(await reader.read(opened), agreement.find('task').values);
  const corpus = await buildCorpus(runs, reader.vectors(), terminal.stopped);
  const hasTexts = flags.includeText === true || spill !== undefined;
  const mask = hasTexts ? await createTextMask(flags.raw === true) : undefined;
  const next = { corpus, opened, mask, keep, files };
  const compared =
    flags.compare === undefined ? undefined : await compareWith(flags.compare, flags, next);
  const facts = compared === undefined ? opened.facts() : joinSets(compared.facts, opened.facts());
  const notes = [
    ...(corpus.recurring === undefined ? [] : describeRecurring(corpus.recurring)),
    ...optionNotes(flags, facts),
    ...opened.inputNotes(),
  ];
  const content = contentOptions(files, flags);
  const { title = '' } = content;
  const nameOf = await mask?.names([title]);
  const shownNotes = await maskNotes(notes, opened.crashed(), mask);
  const data = await reportOf(
    corpus,
    {
      ...content,
      title: flags.title ?? nameOf?.(title) ?? title,
      textsOnDemand: spill !== undefined,
      crashed: opened.crashed().length,
      command: pageCommandOf(process.argv.slice(2)),
      notes: shownNotes.map((text) => ({ level: 'note', text })),
      comparison: compared?.comparison,
      baseRuns: compared?.runs,
    },
    mask,
  );
  const texts =
    spill === undefined || mask === undefined
      ? undefined
      : createServedTexts({
          spill,
          places: [...placesOf(corpus), ...(compared?.places ?? [])],
          mask,
          redact: flags.redact,
        });
  const status = worstStatus([opened.close(), compared?.status ?? EXIT.done]);
  return { data, status, notes, texts };
}

function contentOptions(files: readonly string[], flags: ReportFlags): ReportContent {
  return {
    title: flags.title ?? titleOf(shortNames(files)),
    threshold: flags.threshold,
    pickCount: flags.picks,
    includeText: flags.includeText === true,
    redact: flags.redact,
  };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('expected a port from 0 to 65535');
}

/** Adds to the findings of each run how much it agrees with other agents. */
function withAgreement(
  runs: readonly CorpusRun[],
  values: readonly (number | undefined)[],
): CorpusRun[] {
  return runs.map((run) => {
    const value = values[run.position];
    if (value === undefined) return run;
    const line = `agreement with other agents on the task ${signed(value, 2)}: not a verdict`;
    return { ...run, findings: [...run.findings, line] };
  });
}
