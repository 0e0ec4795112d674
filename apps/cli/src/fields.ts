import type { Run } from './runs.ts';

/** What a run says of itself and where that comes from: the same names in every output. */
export interface RunFields {
  readonly objective: string;
  /** What the recording calls the task, null where it does not say. */
  readonly task: string | null;
  readonly model: string | null;
  readonly domain: string;
  /** Null where nothing says it; {@link RunFields.countedAs} is what the score takes then. */
  readonly success: boolean | null;
  readonly countedAs: boolean;
  /** `recorded`, `graded`, `labelled`, `given`, `assumed` or `unknown`. */
  readonly successFrom: string;
  /** The recorded grade that a success of `graded` stands for. */
  readonly grade: number | null;
  readonly confidence: number;
  /** `recorded`, `given` or `assumed`. */
  readonly confidenceFrom: string;
  readonly steps: number;
  /** How many of the steps are calls of tools. */
  readonly calls: number;
  /** Names of the tools called, each once, in the order of their first call. */
  readonly tools: readonly string[];
  readonly format: string;
  readonly file: string;
  readonly line: number;
}

/** @param run - with a valid trace. */
export function fieldsOf({ trace, provenance, file, line, format }: Run): RunFields {
  const tools = new Set<string>();
  let calls = 0;
  for (const { type, tool } of trace.steps) {
    if (type === 'tool_call') calls++;
    if (tool !== undefined) tools.add(tool.name);
  }
  const successFrom = provenance?.success ?? 'recorded';
  const known = successFrom !== 'unknown' && successFrom !== 'assumed';
  return {
    objective: trace.task.objective,
    task: provenance?.task ?? null,
    model: provenance?.model ?? null,
    domain: trace.metadata.task_domain,
    success: known ? trace.metadata.success : null,
    countedAs: trace.metadata.success,
    successFrom,
    grade: provenance?.grade ?? null,
    confidence: trace.outcome.confidence,
    confidenceFrom: provenance?.confidence ?? 'recorded',
    steps: trace.steps.length,
    calls,
    tools: [...tools],
    format,
    file,
    line,
  };
}
