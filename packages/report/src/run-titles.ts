import { plural } from '@kp/foundation';
import type { ReportRun } from './report-data.ts';

/** Shown in place of a blank tool name, which some recorders write. */
export const NAMELESS_TOOL = '(no name)';

/** Summarizes a run, such as `37 steps, failed at update_reservation`. */
export function howItWent(
  run: Pick<ReportRun, 'steps' | 'success'>,
  tools: readonly string[],
): string {
  const { length } = run.steps.kinds;
  if (length === 0) return run.success === null ? '' : run.success ? 'succeeded' : 'failed';
  const steps = plural(length, 'step');
  if (run.success === true) return `${steps}, succeeded`;
  if (run.success === null) return steps;
  const failing = failingTool(run, tools);
  if (failing !== undefined) return `${steps}, failed at ${failing}`;
  const last = toolBefore(run, length - 1, tools);
  return last === undefined ? `${steps}, failed` : `${steps}, failed after ${last}`;
}

/** Returns the tool of the last error of a run. */
export function failingTool(
  run: Pick<ReportRun, 'steps'>,
  tools: readonly string[],
): string | undefined {
  const error = run.steps.errors.at(-1);
  return error === undefined ? undefined : toolBefore(run, error, tools);
}

function toolBefore(
  { steps }: Pick<ReportRun, 'steps'>,
  step: number,
  tools: readonly string[],
): string | undefined {
  for (let at = step; at >= 0; at--) {
    const tool = tools[steps.tools[at] ?? -1];
    if (tool !== undefined) return tool;
  }
  return undefined;
}

/** A task name without meaning to people, such as a UUID or a digest. */
const OPAQUE_TASK = /^[\da-f]{8}(?:-?[\da-f]{4,}){1,}$/i;

/** Returns the name of a run without a visible objective: its task, or its domain and its tools. */
export function nameWithoutObjective(
  run: Pick<ReportRun, 'task' | 'domain' | 'steps'>,
  tools: readonly string[],
): string {
  const { task } = run;
  const isOpaque = task !== undefined && OPAQUE_TASK.test(task);
  if (task !== undefined && !isOpaque) {
    return /^task/i.test(task) ? task.replace(/^t/, 'T') : `Task ${task}`;
  }
  const all = [...new Set(run.steps.tools)].flatMap((place) => tools[place] ?? []);
  const used = all.filter((tool) => tool !== NAMELESS_TOOL);
  const kind = run.domain === undefined || run.domain === 'default' ? 'Run' : `${run.domain} run`;
  const named = used.slice(0, 3).join(', ') + (used.length > 3 ? ' …' : '');
  const what = used.length === 0 ? `${kind} without tools` : `${kind} with ${named}`;
  const name = isOpaque ? `${what} (task ${task.slice(0, 8)})` : what;
  return name.charAt(0).toUpperCase() + name.slice(1);
}
