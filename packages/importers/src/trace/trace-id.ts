import type { RecordedRun } from '../importer/importer.ts';

const MOST_NAME_CHARACTERS = 80;

/**
 * Derives the id of an imported trace. It depends only on the run, not on the file, the options or the
 * time, so importing it again gives the same id. The names are for readers; runs are distinguished by 64
 * bits of the SHA-256 of the recorded names, the objective and the steps.
 */
export async function traceId(format: string, run: RecordedRun): Promise<string> {
  const names = Object.values(run.source).map((name) => readable(String(name)));
  const { source, objective, createdAt, model, steps } = run;
  // Leave `thinking` out: earlier versions did not record it, and ids must not change.
  const told = steps.map((step) => {
    return 'thinking' in step ? { kind: step.kind, content: step.content } : step;
  });
  const content = [source, objective ?? null, createdAt ?? null, model ?? null, told];
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const digest = await sha256(bytes);
  const hash = Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0'));
  return ['kp:trace', format, ...names, hash.join('')].join(':');
}

/** At once where the runtime can: a job for a thread of its own takes ten times as long. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const node = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (node !== undefined) return node.createHash('sha256').update(bytes).digest();
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** Keeps letters of any script; any other character not allowed in an id becomes `_`. */
function readable(name: string): string {
  return [...name]
    .slice(0, MOST_NAME_CHARACTERS)
    .join('')
    .replaceAll(/[^\p{L}\p{M}\p{N}_./@+-]+/gu, '_');
}
