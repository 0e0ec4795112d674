import * as z from 'zod';
import { ReasoningTraceSchema } from './reasoning-trace.ts';

// Compiling takes some milliseconds, what about 2,000 validations save: few traces should not pay.
const COMPILE_AFTER = 1000;

let validations = 0;
let compiled: typeof ReasoningTraceSchema | undefined;

/**
 * Whether the compiled schema accepts a value. False says nothing: the value may be wrong, or there
 * is no compiled schema, because few values were seen so far or code may not be generated here.
 */
export function isSurelyTrace(input: unknown): boolean {
  if (compiled !== undefined) return compiled.validate(input);
  if (++validations === COMPILE_AFTER) compiled = compileSchema();
  return false;
}

/** The schema as generated code; undefined where that is switched off or not allowed. */
export function compileSchema(): typeof ReasoningTraceSchema | undefined {
  if (z.config().jitless === true) return undefined;
  const schema = z.compile(ReasoningTraceSchema);
  // What cannot be compiled, for one where a content security policy forbids it, comes back as it is.
  return schema === ReasoningTraceSchema ? undefined : schema;
}
