import {
  type PrivacyLevel,
  type ReasoningTrace,
  readProvenance,
  SCORE_RECORD_KEY,
  type ScoreRecord,
  type Visibility,
} from '@kp/schema';
import type { ScoreReport } from '@kp/scoring';
import { type Bands, bandOf } from '../corpus/calibrate.ts';
import { CurationInputError, checkNumber } from '../corpus/errors.ts';
import type { SecretFinding, SecretScanError } from './secret-scanner.ts';

/** Whether a trace is worth sharing, and why not. */
export interface ShareDecision {
  /** `no` when any reason says no, else `unsure` when any is, else `yes`. */
  readonly share: 'yes' | 'no' | 'unsure';
  /** What speaks against it; empty for `yes`. */
  readonly reasons: readonly ShareReason[];
}

/** One thing that speaks against sharing. */
export interface ShareReason {
  /** To match by. */
  readonly code:
    | 'UNDER_THRESHOLD'
    | 'REDUNDANT'
    | 'MAYBE_REDUNDANT'
    | 'NOVELTY_UNKNOWN'
    | 'FAILED'
    | 'SUCCESS_UNKNOWN'
    | 'VISIBILITY_FORBIDS'
    | 'PRIVACY_FORBIDS'
    | 'SECRETS_FOUND'
    | 'SCAN_FAILED';
  /** How much it weighs. */
  readonly share: 'no' | 'unsure';
  /** A sentence that says what was expected and what was received. */
  readonly message: string;
  /** The trace that it repeats, with the codes `REDUNDANT` and `MAYBE_REDUNDANT`. */
  readonly nearest?: { readonly key?: string; readonly similarity: number };
}

/** What may leave the machine. */
export interface ShareOptions {
  /** The least score, 0 to 1. */
  readonly threshold: number;
  /** From `calibrateThresholds`; left out, similarity alone makes nothing redundant. */
  readonly bands?: Bands;
  /** What a scanner found in the trace as it would be shared; left out, nothing was looked for. */
  readonly findings?: readonly SecretFinding[];
  /** Why the trace could not be scanned; it is then not shared. */
  readonly scanError?: SecretScanError;
  /** Visibilities that may be shared. Default `['network']`. */
  readonly visibilities?: readonly Visibility[];
  /** Privacy levels that may be shared. Default `['aggregated', 'federated']`. */
  readonly privacyLevels?: readonly PrivacyLevel[];
  /** Whether runs that failed may be shared. Default false. */
  readonly failures?: boolean;
  /**
   * Whether something says that `metadata.success` is so; false when it was assumed. Default true,
   * or what the import's record on the trace says.
   */
  readonly successKnown?: boolean;
}

/**
 * Whether a trace should be contributed to a network: worth it by its score, new, verifiably
 * successful, allowed out, and free of secrets.
 *
 * @param trace - as it would be shared.
 * @param report - of this trace.
 * @throws {@link CurationInputError} when the report is of another trace, or the threshold is not
 * from 0 to 1.
 */
export function shareable(
  trace: ReasoningTrace,
  report: ScoreReport,
  options: ShareOptions,
): ShareDecision {
  checkSameTrace(trace, report);
  checkNumber('threshold', options.threshold, 0, 1);
  const reasons = [
    ...scoreReasons(report, options),
    ...outcomeReasons(trace, options),
    ...permissionReasons(trace, options),
    ...secretReasons(options.findings ?? []),
    ...scanReasons(options.scanError),
  ];
  const says = (share: ShareReason['share']): boolean =>
    reasons.some((each) => each.share === share);
  return { share: says('no') ? 'no' : says('unsure') ? 'unsure' : 'yes', reasons };
}

/** Sources of a novelty that comes from a comparison. */
const COMPARED: ReadonlySet<ScoreReport['novelty']['source']> = new Set([
  'nearest',
  'empty_memory',
  'corpus',
]);

function scoreReasons(report: ScoreReport, { threshold, bands }: ShareOptions): ShareReason[] {
  const { score, novelty } = report;
  const reasons: ShareReason[] = [];
  if (score < threshold) {
    const message = `score: expected at least ${threshold}, received ${score.toFixed(3)}`;
    reasons.push({ code: 'UNDER_THRESHOLD', share: 'no', message });
  }
  const { nearest, source } = novelty;
  if (!COMPARED.has(source)) {
    const message = `novelty: expected a comparison with what was seen, received ${source}`;
    reasons.push({ code: 'NOVELTY_UNKNOWN', share: 'unsure', message });
  }
  if (nearest === undefined || bands === undefined) return reasons;
  const band = bandOf(nearest.similarity, bands);
  if (band === 'keep') return reasons;
  const like = `${nearest.similarity.toFixed(3)} like ${nearest.key ?? 'a trace without an id'}`;
  const [code, share] =
    band === 'redundant'
      ? (['REDUNDANT', 'no'] as const)
      : (['MAYBE_REDUNDANT', 'unsure'] as const);
  reasons.push({
    code,
    share,
    message: `novelty: expected a new trace, received one ${like}`,
    nearest,
  });
  return reasons;
}

function outcomeReasons(trace: ReasoningTrace, options: ShareOptions): ShareReason[] {
  const { successKnown = isSuccessKnown(trace), failures = false } = options;
  if (!successKnown) {
    const message = 'success: expected a verdict, received an assumption';
    return [{ code: 'SUCCESS_UNKNOWN', share: 'unsure', message }];
  }
  if (trace.metadata.success || failures) return [];
  const message = 'success: expected a run that succeeded, received one that failed';
  return [{ code: 'FAILED', share: 'no', message }];
}

/** The importers keep beside a trace where its success comes from. */
function isSuccessKnown(trace: ReasoningTrace): boolean {
  const source = readProvenance(trace)?.success;
  return source !== 'assumed' && source !== 'inferred' && source !== 'unknown';
}

function permissionReasons({ metadata }: ReasoningTrace, options: ShareOptions): ShareReason[] {
  const { visibilities = ['network'], privacyLevels = ['aggregated', 'federated'] } = options;
  const { visibility, privacy_level: level } = metadata;
  const reasons: ShareReason[] = [];
  if (!visibilities.includes(visibility)) {
    const message = `visibility: expected ${visibilities.join(' or ')}, received ${visibility}`;
    reasons.push({ code: 'VISIBILITY_FORBIDS', share: 'no', message });
  }
  if (!privacyLevels.includes(level)) {
    const message = `privacy_level: expected ${privacyLevels.join(' or ')}, received ${level}`;
    reasons.push({ code: 'PRIVACY_FORBIDS', share: 'no', message });
  }
  return reasons;
}

function secretReasons(findings: readonly SecretFinding[]): ShareReason[] {
  if (findings.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].map(([kind, count]) => `${count} × ${kind}`).join(', ');
  const message = `texts: expected no secrets or personal data, received ${kinds}`;
  return [{ code: 'SECRETS_FOUND', share: 'no', message }];
}

function scanReasons(error: SecretScanError | undefined): ShareReason[] {
  return error === undefined ? [] : [{ code: 'SCAN_FAILED', share: 'no', message: error.message }];
}

/**
 * A copy of a trace with `metadata.quality_score` set to its score, and beside it what the score
 * was made with, so that another can tell whether two scores may be compared.
 *
 * @param trace - it stays as it is.
 * @param report - of this trace.
 * @throws {@link CurationInputError} when the report is of another trace.
 */
export function withScore(trace: ReasoningTrace, report: ScoreReport): ReasoningTrace {
  checkSameTrace(trace, report);
  const { formula, profile, weights, dimensions, overrides, novelty } = report;
  return {
    ...trace,
    metadata: { ...trace.metadata, quality_score: report.score },
    [SCORE_RECORD_KEY]: {
      formula,
      profile,
      weights,
      dimensions,
      overrides: overrides.map(({ rule }) => rule),
      novelty: {
        source: novelty.source,
        embedder: novelty.embedder ?? null,
        comparedWith: novelty.comparedWith ?? 0,
      },
    } satisfies ScoreRecord,
  };
}

function checkSameTrace(trace: ReasoningTrace, report: ScoreReport): void {
  if (trace.id === report.traceId) return;
  throw new CurationInputError('report', `that of ${trace.id}`, report.traceId);
}
