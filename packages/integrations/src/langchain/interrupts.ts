import { isObject } from '../run/json-values.ts';

/** Errors by which LangGraph interrupts a node, and that are none. */
const INTERRUPT = /^(?:GraphInterrupt|NodeInterrupt)$/;
/** The error by which an agent of LangGraph hands over to another one. */
const HANDOVER = /^(?:ParentCommand|GraphBubbleUp)$/;

/** What an error of a chain or tool means in LangGraph. */
export function kindOfError(error: unknown): 'interrupt' | 'handover' | 'error' {
  const name: unknown = isObject(error) ? error.name : undefined;
  if (typeof name !== 'string') return 'error';
  return INTERRUPT.test(name) ? 'interrupt' : HANDOVER.test(name) ? 'handover' : 'error';
}

/** Whether an outermost chain goes on with a run that was interrupted. */
export function isResumption(inputs: unknown): boolean {
  if (inputs === null || inputs === undefined) return true;
  if (!isObject(inputs)) return false;
  if (inputs.lg_name === 'Command') return inputs.resume !== undefined && inputs.resume !== null;
  return Object.keys(inputs).length === 1 && inputs.input === null;
}
