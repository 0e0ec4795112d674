import { validate } from './generated/validate-trace.js';
import type { ReasoningTrace } from './reasoning-trace.ts';

/**
 * Whether a value is a trace beyond doubt, by code generated from the schema. False says nothing:
 * zod has to look, which takes longer and knows what is wrong.
 */
export function isSurelyTrace(input: unknown): boolean {
  return validate(input) && hasPlainRecords(input as ReasoningTrace);
}

/** JSON Schema takes any object for a record; zod refuses a Map, a Date and the like. */
function hasPlainRecords({ task, steps }: ReasoningTrace): boolean {
  return isPlain(task.input_schema) && steps.every(({ input }) => isPlain(input));
}

function isPlain(record: object | undefined): boolean {
  if (record === undefined) return true;
  const prototype: unknown = Object.getPrototypeOf(record);
  return prototype === Object.prototype || prototype === null;
}
