import type { ReasoningTraceStep } from '@kp/schema';
import type { RecordedStep } from './importer.ts';
import { type DerivedField, STEP_SOURCE_KEY, type StepSource } from './provenance.ts';

/** ReAct logs end with the grader's verdict, which the agent never saw. */
const VERDICT = /\bAnswer is (?:IN)?CORRECT\.?$/;

/**
 * Numbers the steps and derives what the recording leaves open: the agent's next own step after
 * an error is its recovery. Several errors before it (parallel calls) have one recovery.
 */
export function toTraceSteps(recorded: readonly RecordedStep[]): {
  steps: ReasoningTraceStep[];
  derived: DerivedField[];
} {
  const steps: ReasoningTraceStep[] = [];
  const derived: DerivedField[] = [];
  const calls = new Set<string>();
  let unansweredErrors: number[] = [];
  for (const [step_id, step] of recorded.entries()) {
    if (step.kind === 'observation') {
      if (step.error !== undefined) unansweredErrors.push(step_id);
      const isLast = step_id === recorded.length - 1;
      const content = isLast ? withoutVerdict(step.content) : step.content;
      if (content !== step.content) {
        derived.push({ step_id, field: 'content', value: 'verdict_removed' });
      }
      steps.push(observationStep(step_id, step, content, calls));
      continue;
    }
    if (step.kind === 'tool_call' && step.callId !== undefined) calls.add(step.callId);
    const type = unansweredErrors.length > 0 ? 'error_recovery' : step.kind;
    if (type === 'error_recovery') {
      const recorded_as = step.kind;
      const from = unansweredErrors;
      derived.push({ step_id, field: 'type', value: 'error_recovery', recorded_as, from });
      unansweredErrors = [];
    }
    steps.push(ownStep(step_id, type, step));
  }
  return { steps, derived };
}

function withoutVerdict(content: string): string {
  const text = content.trimEnd();
  // A pattern that searches all of a long text for its end takes quadratic time on some.
  const verdict = VERDICT.exec(text.slice(-40))?.[0];
  return verdict === undefined ? content : text.slice(0, -verdict.length).trimEnd();
}

function ownStep(
  step_id: number,
  type: ReasoningTraceStep['type'],
  recorded: Exclude<RecordedStep, { kind: 'observation' }>,
): ReasoningTraceStep {
  const step: ReasoningTraceStep = { step_id, type };
  if (recorded.content !== undefined) step.content = recorded.content;
  if (recorded.kind === 'thought') return step;
  step.tool = { name: recorded.name };
  if (recorded.input !== undefined) step.input = recorded.input;
  if (isDuration(recorded.latencyMs)) step.latency_ms = recorded.latencyMs;
  if (recorded.callId !== undefined) {
    step[STEP_SOURCE_KEY] = { call_id: recorded.callId } satisfies StepSource;
  }
  return step;
}

/** A recording may say anything of how long a call took, but a trace takes no infinity. */
function isDuration(milliseconds: number | undefined): milliseconds is number {
  return milliseconds !== undefined && Number.isFinite(milliseconds) && milliseconds >= 0;
}

function observationStep(
  step_id: number,
  { callId, role, error }: Extract<RecordedStep, { kind: 'observation' }>,
  content: string,
  calls: ReadonlySet<string>,
): ReasoningTraceStep {
  const step: ReasoningTraceStep = { step_id, type: 'observation', content };
  if (callId === undefined && role === undefined && error === undefined) return step;
  const source: { -readonly [Key in keyof StepSource]: StepSource[Key] } = {};
  if (callId !== undefined) source.call_id = callId;
  if (role !== undefined) source.role = role;
  if (error !== undefined) source.error = error;
  if (callId !== undefined && !calls.has(callId)) source.orphan = true;
  step[STEP_SOURCE_KEY] = source;
  return step;
}
