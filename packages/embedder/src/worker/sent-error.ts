import { EmbedderLoadError } from '../embedder-load-error.ts';
import type { SentError } from './messages.ts';

/** An error in a form that can be sent. */
export function toSentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  if (!(error instanceof EmbedderLoadError)) return { name, message };
  const { code, subject, expected, received, remedy, retryAt } = error;
  return { name, message, load: { code, subject, expected, received, remedy, retryAt } };
}

/** The error that was sent, of its class where that matters to callers. */
export function fromSentError({ name, message, load }: SentError): Error {
  if (load !== undefined) {
    const error = new EmbedderLoadError(load);
    error.retryAt = load.retryAt;
    return error;
  }
  const error = new Error(message);
  error.name = name;
  return error;
}
