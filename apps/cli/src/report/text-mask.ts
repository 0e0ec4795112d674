import type { ReasoningTrace } from '@knowledgepulse/sdk';
import { createSecretScanner, SecretScanError } from '@kp/curation';
import { DependencyError } from '@kp/foundation';
import { refused } from '../output/errors.ts';

/** Masks the same secrets and personal data in texts as `kp share`. */
export interface TextMask {
  /** Returns the trace with every secret replaced; undefined if it cannot be scanned completely. */
  mask(trace: ReasoningTrace): Promise<ReasoningTrace | undefined>;
  /** Number of secrets found so far. */
  readonly found: () => number;
  /** Number of traces that could not be scanned. */
  readonly notScanned: () => number;
}

/**
 * @param isRaw - disables masking.
 * @throws `UsageError` if the scanner is not installed.
 */
export async function createTextMask(isRaw: boolean): Promise<TextMask> {
  if (isRaw) return { mask: async (trace) => trace, found: () => 0, notScanned: () => 0 };
  const scanner = await createSecretScanner().catch((error: unknown) => {
    throw error instanceof DependencyError ? refused('kp report', error) : error;
  });
  let found = 0;
  let notScanned = 0;
  return {
    async mask(trace) {
      try {
        const scan = await scanner.scan(trace);
        found += scan.findings.length;
        return scan.mask(trace);
      } catch (error) {
        if (!(error instanceof SecretScanError)) throw error;
        notScanned++;
        return undefined;
      }
    },
    found: () => found,
    notScanned: () => notScanned,
  };
}
