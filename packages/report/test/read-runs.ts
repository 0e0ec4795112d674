import type { ReasoningTrace } from '@kp/schema';
import {
  createReportData,
  type ReportDataOptions,
  type ScoredRun,
} from '../src/create-report-data.ts';
import type { ReportData } from '../src/report-data.ts';
import { scoredRun } from './scored-runs.ts';

/** Creates the steps of a run that reads, fails, recovers and edits; its texts contain `number`. */
function stepsOf(number: number, length: number): object[] {
  const round = (at: number): object[] => [
    {
      type: 'thought',
      content: `Thought ${at} of run ${number}.\n\n\`\`\`ts\nconst a = ${at};\n\`\`\``,
    },
    {
      type: 'tool_call',
      tool: { name: at % 2 === 0 ? 'bash' : 'edit' },
      input:
        at % 2 === 0
          ? { command: `grep -n 'pool' src/${at === 2 ? number : at}.ts` }
          : { old_str: 'a', new_str: 'b' },
      latency_ms: 1250,
    },
    {
      type: 'observation',
      content:
        at === 2
          ? `TypeError: pool is undefined in run ${number}`
          : `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old ${at}\n+new ${at}\n${'line\n'.repeat(30)}`,
      ...(at === 2 && { 'kp:source': { error: 'text' } }),
    },
    ...(at === 2 ? [{ type: 'error_recovery', content: 'Try it with a pool.' }] : []),
  ];
  const steps = Array.from({ length: Math.ceil(length / 3) }, (_, at) => round(at)).flat();
  return steps.slice(0, length).map((step, step_id) => ({ step_id, ...step }));
}

/** Creates a run with `length` steps, of which the second call fails. */
export function readableRun(number: number, length = 12): ScoredRun {
  return scoredRun(number, {
    model: `model-${number % 2}`,
    trace: {
      metadata: { success: number % 3 !== 0, task_domain: 'code' },
      task: { objective: `Repair the pool of service ${number}. It runs dry.` },
      steps: stepsOf(number, length),
      outcome: { result_summary: `Service ${number} has a pool again.`, confidence: 0.9 },
    } as unknown as ReasoningTrace,
  });
}

/** Creates a page with texts: `count` runs of `length` steps each. */
export function readableReport(
  count: number,
  length = 12,
  options: ReportDataOptions = {},
): ReportData {
  const runs = Array.from({ length: count }, (_, number) => readableRun(number, length));
  return createReportData(runs, { title: 'Runs to read', includeText: true, ...options });
}
