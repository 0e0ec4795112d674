/**
 * A job whose trace Postgres can store. `jsonb` takes neither NUL nor half a surrogate pair, so a
 * trace that contains one is stored as a text of JSON, in which both are escaped.
 */
export function encodeTrace(
  trace: unknown,
): { readonly trace: unknown } | { readonly json: string } {
  const json = JSON.stringify(trace);
  return isStorable(json) ? { trace } : { json };
}

/** The trace of a job: of {@link encodeTrace}, or what another program put into the queue. */
export function decodeTrace(data: unknown): unknown {
  const job: { readonly trace?: unknown; readonly json?: unknown } = Object(data);
  if (typeof job.json === 'string') return JSON.parse(job.json);
  return job.trace ?? data;
}

/** Whether a column of type `text` or `jsonb` takes a text. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000') && !/\\u(?:0000|d[89a-f])/i.test(text);
}

/** The text, with what cannot be stored made visible. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\\u0000');
}
