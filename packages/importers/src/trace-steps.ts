import type { ReasoningTraceStep } from '@kp/schema';
import { type DerivedField, STEP_SOURCE_KEY, type StepSource } from './provenance.ts';
import type { RecordedStep } from './recorded-run.ts';

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
      steps.push({ step_id, type: 'observation', content, ...observationSource(step, calls) });
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
    steps.push({ step_id, type, ...ownFields(step) });
  }
  return { steps, derived };
}

function withoutVerdict(content: string): string {
  const text = content.trimEnd();
  // A pattern that searches all of a long text for its end takes quadratic time on some.
  const verdict = VERDICT.exec(text.slice(-40))?.[0];
  return verdict === undefined ? content : text.slice(0, -verdict.length).trimEnd();
}

function ownFields(
  step: Exclude<RecordedStep, { kind: 'observation' }>,
): Omit<ReasoningTraceStep, 'step_id' | 'type'> {
  if (step.kind === 'thought') return { content: step.content };
  return {
    ...(step.content === undefined ? {} : { content: step.content }),
    tool: { name: step.name },
    ...(step.input === undefined ? {} : { input: step.input }),
    ...(step.latencyMs === undefined ? {} : { latency_ms: step.latencyMs }),
    ...(step.callId === undefined ? {} : source({ call_id: step.callId })),
  };
}

function observationSource(
  step: Extract<RecordedStep, { kind: 'observation' }>,
  calls: ReadonlySet<string>,
): Record<string, StepSource> {
  const { callId, role, error } = step;
  const isOrphan = callId !== undefined && !calls.has(callId);
  if (callId === undefined && role === undefined && error === undefined) return {};
  return source({
    ...(callId === undefined ? {} : { call_id: callId }),
    ...(role === undefined ? {} : { role }),
    ...(error === undefined ? {} : { error }),
    ...(isOrphan ? { orphan: true } : {}),
  });
}

function source(value: StepSource): Record<string, StepSource> {
  return { [STEP_SOURCE_KEY]: value };
}
