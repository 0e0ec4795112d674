import type { ReasoningTrace } from '@knowledgepulse/sdk';
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
import { checkWritable, createOutput, createWholeFile } from '../output/output.ts';
import { openRuns } from '../runs/open-runs.ts';
import { addInputOptions, type InputFlags, parseShare } from '../runs/options.ts';
import type { ScoredRun } from '../runs/run.ts';
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
    .summary('the runs that are worth contributing, free of secrets')
    .description(
      'Writes the traces that are worth sharing: at the threshold, verifiably successful, allowed out, with secrets and personal data masked, and stamped with their score.',
    )
    .argument('<files...>', 'recordings; folders; - for standard input')
    .option('--threshold <score>', 'the least score', parseShare, 0.75)
    .option('--bands <file>', 'leave out what repeats, by the thresholds that kp calibrate wrote')
    .option('-o, --output <file>', 'write the traces there, one a line')
    .addOption(
      new Option('--on-secret <way>', 'what becomes of a trace with secrets or personal data')
        .choices(['mask', 'refuse'])
        .default('mask'),
    )
    .addOption(
      new Option('--visibility <who>', 'let private traces out, and say so in them').choices([
        'network',
      ]),
    )
    .addOption(
      new Option(
        '--privacy-level <level>',
        'let traces of privacy level private out, as this level',
      ).choices(['aggregated', 'federated']),
    )
    .option('--allow <pattern>', 'a regular expression; matches are not masked', addPattern, [])
    .option(
      '--personal <kinds>',
      `also mask these, comma-separated: ${PERSONAL_DATA_KINDS.join(', ')}`,
      parsePersonalData,
    )
    .option('--rules <file>', 'JSON with your own patterns, deny, allow, names and personal')
    .option('--review', 'show what would be masked, with its rule and context; write no traces')
    .option('--json', 'the decision on every run, one object a line, in place of the traces')
    .option('-q, --quiet', 'no progress and no summary');
  addScorerOptions(command);
  addInputOptions(command);
  command.addHelpText(
    'after',
    `
kp reports what it finds by place and kind, never by value. No scanner finds every secret: read what
you share. Recordings do not say who may see them: imported ones are private until --visibility network.

Examples:
  kp share runs/ --visibility network -o contribution.jsonl
  kp share runs/ --review
  kp share runs/ --personal phone,iban --rules rules.json --visibility network -o contribution.jsonl
  kp share runs/ --json | jq 'select(.share == "unsure")'
  kp share runs/ --on-secret refuse --allow '@example\\.com$' -o contribution.jsonl`,
  );
  command.action(async (files: string[], flags: ShareFlags) => {
    process.exitCode = await share(files, flags);
  });
}

/** @returns the exit status. */
async function share(files: readonly string[], flags: ShareFlags): Promise<ExitStatus> {
  const { output: path, json } = flags;
  if (json === true && path !== undefined) {
    throw conflict('--json', '-o', 'it prints decisions, not traces');
  }
  if (flags.review === true && path !== undefined) {
    throw conflict('--review', '-o', 'it writes no traces');
  }
  if (path !== undefined) await checkWritable(path, '-o');
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
      if (considered.scan === undefined) {
        terminal.problem(`${scored.fields.file}:${scored.fields.line}: ${scanProblem(considered)}`);
      }
      const line = lineOf(scored, considered, flags);
      if (line !== undefined) await output.write(line);
    }
    if (terminal.stopped.aborted) await file?.discard();
    else await file?.keep();
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
  // Refuses bands of other vectors, and counts.
  teller?.bandOf(report);
  const permitted = withPermission(run.trace, run.provenance !== undefined, flags);
  const options = {
    threshold: flags.threshold,
    bands: teller?.bands,
    successKnown: fields.success !== null,
  };
  try {
    const scan = await scanner.scan(run.trace);
    const findings = flags.onSecret === 'refuse' ? scan.findings : [];
    const decision = shareable(permitted, report, { ...options, findings });
    const trace = scan.mask(withScore(permitted, report));
    return { decision, trace, findings: scan.findings, scan };
  } catch (error) {
    if (!(error instanceof SecretScanError)) throw error;
    const decision = shareable(permitted, report, { ...options, scanError: error });
    return { decision, trace: permitted, findings: [], scan: undefined };
  }
}

/** What the user has said that may go out; the session and the user never do. A recording's own level is not known: it was assumed. */
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

function addPattern(text: string, previous: readonly RegExp[]): readonly RegExp[] {
  try {
    return [...previous, new RegExp(text, 'u')];
  } catch (error) {
    throw refused(`--allow ${text}`, error);
  }
}
