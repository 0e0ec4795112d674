import type { ReasoningTrace } from '@knowledgepulse/sdk';
import { createSecretScanner, SecretScanError } from '@kp/curation';
import { DependencyError } from '@kp/foundation';
import { refused } from '../output/errors.ts';

/** Masks in the texts of runs what `kp share` would mask. */
export interface TextMask {
  /** The trace with every secret replaced; undefined if it cannot be scanned in full. */
  mask(trace: ReasoningTrace): Promise<ReasoningTrace | undefined>;
  /** How many secrets were found up to now. */
  readonly found: () => number;
  /** How many traces could not be scanned. */
  readonly notScanned: () => number;
}

/**
 * @param isRaw - nothing is masked.
 * @throws `UsageError` when the scanner is not installed.
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
