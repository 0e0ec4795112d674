import { type ReasoningTrace, type ScoreReport, safeParseTrace } from '@knowledgepulse/sdk';
import {
  type SecretFinding,
  type SecretScan,
  SecretScanError,
  type SecretScanner,
  type ShareDecision,
  type ShareOptions,
  shareable,
  withScore,
} from '@kp/curation';
import { withoutRunNames } from '@kp/importers';
import { createMaskedIds } from '../runs/masked-ids.ts';
import { invalidReason, type ScoredRun } from '../runs/run.ts';
import type { BandTeller } from '../scoring/bands.ts';

/** Flags that decide what may be shared. */
export interface ConsiderFlags {
  readonly threshold: number;
  readonly onSecret: 'mask' | 'refuse';
  readonly visibility?: 'network';
  readonly privacyLevel?: 'aggregated' | 'federated';
}

/** A run with its findings and the sharing decision. */
export interface Considered {
  readonly decision: ShareDecision;
  /** The masked and stamped trace, written if the run may be shared. */
  readonly trace: ReasoningTrace;
  /** The masked id. */
  readonly id: string;
  /** The masked name of the file. */
  readonly file: string;
  readonly findings: readonly SecretFinding[];
  /** Undefined if the trace could not be scanned. */
  readonly scan: SecretScan | undefined;
}

/** Returns a function that scans and masks one run and decides whether it may be shared. */
export function createConsiderer(
  scanner: SecretScanner,
  teller: BandTeller | undefined,
  flags: ConsiderFlags,
): (scored: ScoredRun) => Promise<Considered> {
  const ids = createMaskedIds();
  const names = new Map<string, string>();

  /** Masks a name that is shown outside of its trace. */
  async function maskedName(name: string): Promise<string> {
    const known = names.get(name);
    if (known !== undefined) return known;
    const masked = await scanner.scan(name).then(
      (scan) => scan.mask(name),
      (error: unknown) => {
        if (error instanceof SecretScanError) return '[not-scanned]';
        throw error;
      },
    );
    names.set(name, masked);
    return masked;
  }

  /** Masks the id of the nearest run, which the reasons contain. */
  async function withMaskedNearest(report: ScoreReport): Promise<ScoreReport> {
    const { nearest } = report.novelty;
    if (nearest?.key === undefined) return report;
    const key = ids.get(nearest.key) ?? (await maskedName(nearest.key));
    return { ...report, novelty: { ...report.novelty, nearest: { ...nearest, key } } };
  }

  return async ({ report, run, fields }) => {
    // Rejects bands that were calibrated on other vectors, and counts the bands.
    teller?.bandOf(report);
    const permitted = withPermission(run.trace, run.provenance !== undefined, flags);
    const shown = await withMaskedNearest(report);
    const file = await maskedName(fields.file);
    const options = {
      threshold: flags.threshold,
      bands: teller?.bands,
      successKnown: fields.success !== null && fields.successFrom !== 'inferred',
    } satisfies ShareOptions;
    try {
      const scan = await scanner.scan(run.trace);
      const findings = flags.onSecret === 'refuse' ? scan.findings : [];
      const masked = scan.mask(withScore(permitted, report));
      const trace = { ...masked, id: ids.add(run.trace.id, masked.id) };
      const scanError = invalidMask(trace);
      const decision = shareable(permitted, shown, { ...options, findings, scanError });
      const { id } = trace;
      return { decision, trace, id, file: scan.mask(file), findings: scan.findings, scan };
    } catch (error) {
      if (!(error instanceof SecretScanError)) throw error;
      const decision = shareable(permitted, shown, { ...options, scanError: error });
      const id = ids.add(run.trace.id, await maskedName(run.trace.id));
      return { decision, trace: permitted, id, file, findings: [], scan: undefined };
    }
  };
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
  { visibility, privacyLevel }: ConsiderFlags,
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
