import { isObject } from '../run/json-values.ts';

/** Errors that LangGraph throws to interrupt a node. They are not failures. */
const INTERRUPT = /^(?:GraphInterrupt|NodeInterrupt)$/;
/** Errors that LangGraph throws to hand over to another agent. */
const HANDOVER = /^(?:ParentCommand|GraphBubbleUp)$/;

/** Classifies an error that a chain or tool threw in LangGraph. */
export function kindOfError(error: unknown): 'interrupt' | 'handover' | 'error' {
  const name: unknown = isObject(error) ? error.name : undefined;
  if (typeof name !== 'string') return 'error';
  return INTERRUPT.test(name) ? 'interrupt' : HANDOVER.test(name) ? 'handover' : 'error';
}

/** Whether an outermost chain resumes an interrupted run. */
export function isResumption(inputs: unknown): boolean {
  if (inputs === null || inputs === undefined) return true;
  if (!isObject(inputs)) return false;
  if (inputs.lg_name === 'Command') return inputs.resume !== undefined && inputs.resume !== null;
  return Object.keys(inputs).length === 1 && inputs.input === null;
}
