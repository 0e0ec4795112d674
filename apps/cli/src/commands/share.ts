import { type ReasoningTrace, safeParseTrace } from '@knowledgepulse/sdk';
import {
  createSecretScanner,
  type SecretFinding,
  type SecretScanner,
  type ShareDecision,
  shareable,
  withScore,
} from '@kp/curation';
import { DependencyError } from '@kp/foundation';
import { type Command, Option } from 'commander';
import { type BandTeller, openBandTeller } from '../bands.ts';
import { conflict, refused } from '../errors.ts';
import type { ExitStatus } from '../exit.ts';
import { openRuns } from '../open-runs.ts';
import { addInputOptions, type InputFlags, parseShare } from '../options.ts';
import { checkWritable, createOutput, createWholeFile } from '../output.ts';
import type { ScoredRun } from '../run.ts';
import { addScorerOptions, createChosenScorer, type ScorerFlags, scoreRuns } from '../scoring.ts';
import { count, grouped, jsonText } from '../text.ts';

interface ShareFlags extends InputFlags, ScorerFlags {
  readonly threshold: number;
  readonly bands?: string;
  readonly output?: string;
  readonly onSecret: 'mask' | 'refuse';
  readonly visibility?: 'network';
  readonly privacyLevel?: 'aggregated' | 'federated';
  readonly allow: readonly RegExp[];
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
    .option('--allow <pattern>', 'a regular expression; what fits it is no secret', addPattern, [])
    .option('--json', 'the decision on every run, one object a line, in place of the traces')
    .option('-q, --quiet', 'no progress and no summary');
  addScorerOptions(command);
  addInputOptions(command);
  command.addHelpText(
    'after',
    `
What is found is told by place and kind, never by value. Nothing finds every secret: read what you
share. Recordings do not say who may see them: imported ones are private until --visibility network.

Examples:
  kp share runs/ --visibility network -o contribution.jsonl
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
      const line = json === true ? decisionLine(scored, considered) : shareLine(considered);
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

function openScanner({ allow }: ShareFlags): Promise<SecretScanner> {
  return createSecretScanner({ allow }).catch((error: unknown) => {
    throw error instanceof DependencyError ? refused('kp share', error) : error;
  });
}

/** A run, what was found in it, and whether it may be shared. */
interface Considered {
  readonly decision: ShareDecision;
  /** Masked and stamped; to be written when the decision is yes. */
  readonly trace: ReasoningTrace;
  readonly findings: readonly SecretFinding[];
}

async function consider(
  { report, run, fields }: ScoredRun,
  scanner: SecretScanner,
  teller: BandTeller | undefined,
  flags: ShareFlags,
): Promise<Considered> {
  // Refuses bands of other vectors, and counts.
  teller?.bandOf(report);
  const scan = await scanner.scan(run.trace);
  const permitted = withPermission(run.trace, run.provenance !== undefined, flags);
  const decision = shareable(permitted, report, {
    threshold: flags.threshold,
    bands: teller?.bands,
    findings: flags.onSecret === 'refuse' ? scan.findings : [],
    successKnown: fields.success !== null,
  });
  const trace = scan.mask(withScore(permitted, report));
  return { decision, trace, findings: scan.findings };
}

/** What the user has said that may go out. A recording's own level is not known: it was assumed. */
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
      ...metadata,
      visibility: visibility ?? metadata.visibility,
      privacy_level:
        metadata.privacy_level === 'private' && level !== undefined
          ? level
          : metadata.privacy_level,
    },
  };
}

function shareLine({ decision, trace }: Considered): string | undefined {
  if (decision.share !== 'yes') return undefined;
  const parsed = safeParseTrace(trace);
  if (parsed.success) return jsonText(trace);
  throw new TypeError(`${trace.id}: expected a masked trace to be valid: ${parsed.error.message}`);
}

function decisionLine({ report, fields }: ScoredRun, { decision, findings }: Considered): string {
  return jsonText({
    id: fields.trace,
    share: decision.share,
    score: report.score,
    reasons: decision.reasons,
    findings,
    file: fields.file,
    line: fields.line,
  });
}

const PLACES_SHOWN = 20;

/** Counts decisions, and keeps the places of the first findings. */
function createTally() {
  const decisions = new Map<ShareDecision['share'], number>();
  const reasons = new Map<string, number>();
  const kinds = new Map<string, number>();
  const places: string[] = [];
  let masked = 0;
  const bump = (counts: Map<string, number>, key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  return {
    add({ decision, findings, trace }: Considered): void {
      bump(decisions, decision.share);
      for (const { code } of decision.reasons) bump(reasons, code);
      if (decision.share !== 'yes') return;
      if (findings.length > 0) masked++;
      for (const { kind, path } of findings) {
        bump(kinds, kind);
        if (places.length < PLACES_SHOWN) places.push(`masked ${kind} in ${trace.id} at ${path}`);
      }
    },
    describe(path: string | undefined): string[] {
      const total = [...decisions.values()].reduce((sum, each) => sum + each, 0);
      const shared = decisions.get('yes') ?? 0;
      const listed = (counts: ReadonlyMap<string, number>): string =>
        [...counts]
          .sort((a, b) => b[1] - a[1])
          .map(([name, each]) => `${grouped(each)} ${name}`)
          .join(', ');
      const found = [...kinds.values()].reduce((sum, each) => sum + each, 0);
      const lines = [
        `${grouped(shared)} of ${count(total, 'run')} may be shared, ${grouped(decisions.get('unsure') ?? 0)} unsure${path === undefined ? '' : `: ${path}`}`,
      ];
      if (reasons.size > 0) lines.push(`why not: ${listed(reasons)}`);
      if (found > 0) {
        lines.push(`masked in ${count(masked, 'trace')}: ${listed(kinds)}`, ...places);
        if (found > places.length) lines.push(`and ${grouped(found - places.length)} more places`);
      }
      return lines;
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
