import type { ReasoningTraceStep } from '@kp/schema';
import type { RecordedRun } from './importer.ts';

const MOST_CHARACTERS = 80;

/**
 * The id of an imported trace. It depends on the run alone, not on the file, the options or the
 * time: importing it again gives the same. Names that other runs may share (a task and its trial)
 * are followed by 64 bits of the SHA-256 of the objective and the steps.
 */
export async function traceId(
  format: string,
  run: RecordedRun,
  steps: readonly ReasoningTraceStep[],
): Promise<string> {
  const names = Object.values(run.source).map((name) => readable(String(name)));
  const hash = run.sourceIsUnique ? [] : [await contentHash([run.objective ?? null, steps])];
  return ['kp:trace', format, ...names, ...hash].join(':');
}

async function contentHash(content: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function readable(name: string): string {
  return name.slice(0, MOST_CHARACTERS).replaceAll(/[^\w./@+-]+/g, '_');
}
