import { KnowledgePulseError, messageOf } from '@kp/foundation';
import { IntegrationError } from '../run/integration-error.ts';

/** Reports an error to the caller's `onError`. Never throws. */
export type ReportError = (error: KnowledgePulseError) => void;

/** Without `onError`, writes each error code to `console.warn` once. */
export function createErrorReporter(
  onError: ((error: KnowledgePulseError) => unknown) | undefined,
): ReportError {
  const warned = new Set<string>();
  const warnOnce = (kind: string, message: string): void => {
    if (warned.has(kind)) return;
    warned.add(kind);
    warn(`${message} (reported once)`);
  };
  const failed = (cause: unknown): void => {
    warnOnce('onError', `onError failed: ${messageOf(cause)}`);
  };
  return (error) => {
    try {
      if (onError === undefined) warnOnce(error.code, error.message);
      else void Promise.resolve<unknown>(onError(error)).catch(failed);
    } catch (cause) {
      failed(cause);
    }
  };
}

/** Returns our own errors unchanged and wraps anything else as `SCORING_FAILED`. */
export function asReportedError(cause: unknown, subject: string): KnowledgePulseError {
  if (isOurs(cause)) return cause;
  return new IntegrationError('SCORING_FAILED', {
    subject,
    expected: 'a run that can be scored',
    received: messageOf(cause),
    remedy: 'the agent is not affected; this run has no score',
    cause,
  });
}

/** Whether a thrown value is one of our errors. The value may be a proxy that throws on access. */
export function isOurs(cause: unknown): cause is KnowledgePulseError {
  try {
    return cause instanceof KnowledgePulseError;
  } catch {
    return false;
  }
}

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: without onError, lost runs must still be visible.
  globalThis.console?.warn(`[@kp/integrations] ${message}`);
}
