import { type ReasoningTrace, safeParseTrace } from '@knowledgepulse/sdk';
import {
  createSecretScanner,
  type PersonalDataKind,
  SecretScanError,
  type SecretScanner,
  shareable,
  withScore,
} from '@kp/curation';
import { DependencyError } from '@kp/foundation';
import { withoutRunNames } from '@kp/importers';
import { type Command, Option } from 'commander';
import { conflict, refused } from '../output/errors.ts';
import type { ExitStatus } from '../output/exit.ts';
import { addHelp } from '../output/help.ts';
import { createOutput, createWholeFile } from '../output/output.ts';
import { openRuns } from '../runs/open-runs.ts';
import { addInputOptions, type InputFlags, parseShare, patternsOf } from '../runs/options.ts';
import { checkOutput } from '../runs/output-place.ts';
import { invalidReason, type ScoredRun } from '../runs/run.ts';
import { PERSONAL_DATA_KINDS, parsePersonalData, readScanRules } from '../runs/scan-rules.ts';
import { type BandTeller, openBandTeller } from '../scoring/bands.ts';
import {
  addScorerOptions,
  createChosenScorer,
  type ScorerFlags,
  scoreRuns,
} from '../scoring/scoring.ts';
import { type Considered, createTally, lineOf, scanProblem } from '../views/share-lines.ts';

interface ShareFlags extends InputFlags, ScorerFlags {
  readonly threshold: number;
  readonly bands?: string;
  readonly output?: string;
  readonly onSecret: 'mask' | 'refuse';
  readonly visibility?: 'network';
  readonly privacyLevel?: 'aggregated' | 'federated';
  readonly allow: readonly RegExp[];
  readonly personal?: readonly PersonalDataKind[];
  readonly rules?: string;
  readonly review?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addShareCommand(program: Command): void {
  const command = program
    .command('share')
    .description(
      'Writes the runs worth sharing: above the threshold, verified successful and cleared for sharing, with secrets and personal data masked.',
    )
    .argument('<files...>', 'recordings (also .gz), folders, or - (standard input)')
    .option('--threshold <score>', 'minimum score', parseShare, 0.75)
    .option('--bands <file>', 'leave out redundant runs: thresholds from kp calibrate')
    .option('-o, --output <file>', 'write the traces to FILE, one per line')
    .addOption(
      new Option('--on-secret <way>', 'if a run contains secrets: mask or refuse')
        .choices(['mask', 'refuse'])
        .default('mask'),
    )
    .addOption(
      new Option('--visibility <who>', 'network: clear private runs for sharing').choices([
        'network',
      ]),
    )
    .addOption(
      new Option(
        '--privacy-level <level>',
        'clear runs of privacy level private, as aggregated or federated',
      ).choices(['aggregated', 'federated']),
    )
    .option(
      '--allow <pattern>',
      'do not mask matches of this regular expression',
      patternsOf('--allow', 'u'),
      [],
    )
    .option(
      '--personal <kinds>',
      `also mask these, comma-separated: ${PERSONAL_DATA_KINDS.join(', ')}`,
      parsePersonalData,
    )
    .option('--rules <file>', 'JSON with your own patterns, names and exceptions')
    .option('--review', 'show what would be masked; write nothing')
    .option('--json', 'print the decision on every run instead of the traces')
    .option('-q, --quiet', 'print no progress and no summary');
  addScorerOptions(command);
  addInputOptions(command);
  addHelp(command, {
    examples: [
      ['kp share runs/ --review', 'show what would be masked'],
      ['kp share runs/ --visibility network -o out.jsonl', 'write runs to share'],
      ['kp share runs/ --on-secret refuse -o out.jsonl', 'leave out runs with secrets'],
      ['kp share runs/ --personal phone,iban --rules rules.json', 'mask more'],
      [`kp share runs/ --json | jq 'select(.share == "unsure")'`, 'list doubtful runs'],
    ],
    notes: [
      'kp reports what it finds by place and kind, never by value. No scanner finds every secret: read what you share. Recordings do not say who may see them, so imported runs are private until you pass --visibility network.',
    ],
  });
  command.action(async (files: string[], flags: ShareFlags) => {
    process.exitCode = await share(files, flags);
  });
}

/** @returns The exit status. */
async function share(files: readonly string[], flags: ShareFlags): Promise<ExitStatus> {
  const { output: path, json } = flags;
  if (json === true && path !== undefined) {
    throw conflict('--json', '-o', 'it prints decisions, not traces');
  }
  if (flags.review === true && path !== undefined) {
    throw conflict('--review', '-o', 'it writes no traces');
  }
  if (path !== undefined) await checkOutput(path, '-o', { files, ...flags });
  const teller = await openBandTeller(flags.bands);
  const scanner = await openScanner(flags);
  const chosen = await createChosenScorer(flags);
  const opened = await openRuns(files, flags, 'scoring');
  const { terminal, notes, close } = opened;
  const file = path === undefined ? undefined : await createWholeFile(path, '-o');
  const output = file ?? createOutput(process.stdout);
  const tally = createTally();
  try {
    for await (const scored of scoreRuns(chosen.scorer, opened)) {
      const considered = await consider(scored, scanner, teller, flags);
      tally.add(considered);
      const problem = scanProblem(considered);
      if (problem !== undefined) {
        terminal.problem(`${scored.fields.file}:${scored.fields.line}: ${problem}`);
      }
      const line = lineOf(scored, considered, flags);
      if (line !== undefined) await output.write(line);
    }
    // Without a file, what was printed so far counts.
    if (file !== undefined) terminal.stopped.throwIfAborted();
    await file?.keep();
  } finally {
    await file?.discard();
    await chosen.close();
  }
  const status = close();
  if (flags.quiet !== true) {
    const lines = [
      ...tally.describe(path),
      ...(teller?.describe() ?? []),
      ...notes(),
      ...(await chosen.describeMemory()),
    ];
    for (const line of lines) terminal.progress.message(line);
  }
  return status;
}

async function openScanner({ allow, personal = [], rules }: ShareFlags): Promise<SecretScanner> {
  const own = rules === undefined ? {} : await readScanRules(rules);
  return createSecretScanner({
    ...own,
    allow: [...allow, ...(own.allow ?? [])],
    personalData: [...personal, ...(own.personalData ?? [])],
  }).catch((error: unknown) => {
    throw error instanceof DependencyError ? refused('kp share', error) : error;
  });
}

async function consider(
  { report, run, fields }: ScoredRun,
  scanner: SecretScanner,
  teller: BandTeller | undefined,
  flags: ShareFlags,
): Promise<Considered> {
  // Rejects bands that were calibrated on other vectors, and counts the bands.
  teller?.bandOf(report);
  const permitted = withPermission(run.trace, run.provenance !== undefined, flags);
  const options = {
    threshold: flags.threshold,
    bands: teller?.bands,
    successKnown: fields.success !== null && fields.successFrom !== 'inferred',
  };
  try {
    const scan = await scanner.scan(run.trace);
    const findings = flags.onSecret === 'refuse' ? scan.findings : [];
    const trace = scan.mask(withScore(permitted, report));
    const decision = shareable(permitted, report, {
      ...options,
      findings,
      scanError: invalidMask(trace),
    });
    return { decision, trace, findings: scan.findings, scan };
  } catch (error) {
    if (!(error instanceof SecretScanError)) throw error;
    const decision = shareable(permitted, report, { ...options, scanError: error });
    return { decision, trace: permitted, findings: [], scan: undefined };
  }
}

/** Returns an error if masking broke the format, as a rule for years breaks `created_at`. */
function invalidMask(trace: ReasoningTrace): SecretScanError | undefined {
  const parsed = safeParseTrace(trace);
  if (parsed.success) return undefined;
  return new SecretScanError(
    'a valid trace after masking',
    invalidReason(parsed.error),
    parsed.error,
  );
}

/**
 * Applies the visibility and privacy level that the user chose and removes session and user. The
 * privacy level of an imported trace is assumed, so `--visibility network` replaces it with
 * `aggregated`.
 */
function withPermission(
  trace: ReasoningTrace,
  isImported: boolean,
  { visibility, privacyLevel }: ShareFlags,
): ReasoningTrace {
  const { metadata } = trace;
  const isLevelAssumed = isImported && visibility === 'network';
  const level = privacyLevel ?? (isLevelAssumed ? 'aggregated' : undefined);
  return {
    ...trace,
    metadata: {
      ...withoutRunNames(metadata),
      visibility: visibility ?? metadata.visibility,
      privacy_level:
        metadata.privacy_level === 'private' && level !== undefined
          ? level
          : metadata.privacy_level,
    },
  };
}
