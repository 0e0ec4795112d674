import { assertFields, assertType } from '@kp/foundation';
import type { EmbeddableStep, EmbeddableTrace } from '../embedding/embedder.ts';

/**
 * The description of a trace's task in three views, each of which contains the previous one. The
 * agent's thoughts and the results of tools are left out: they are long, and similar for any task.
 */
export interface TaskView {
  /** The objective. */
  readonly objective: string;
  /** The objective, then the users' messages. */
  readonly asked: string;
  /** The objective, the users' messages, then the values in tool inputs. */
  readonly task: string;
}

/** The texts of a trace that describe its task, in order. */
export interface TaskTexts {
  /** The objective. */
  readonly objective: string;
  /** Later messages of anyone except the agent and its tools, with the recorded role. */
  readonly said: readonly { readonly role: string; readonly text: string }[];
  /** The values in tool inputs. */
  readonly given: readonly string[];
}

/**
 * The three views of a trace.
 *
 * @param trace - a valid trace.
 */
export function taskView(trace: EmbeddableTrace): TaskView {
  const { objective, said, given } = taskTexts(trace);
  const asked = [objective, ...said.map(({ text }) => text)].join('\n');
  return { objective, asked, task: [asked, ...given].join('\n') };
}

/**
 * Returns the texts from which {@link taskView} creates the views.
 *
 * @param trace - a valid trace.
 */
export function taskTexts(trace: EmbeddableTrace): TaskTexts {
  assertFields('trace', trace, { task: 'an object', steps: 'an array' });
  const said: { role: string; text: string }[] = [];
  const given: string[] = [];
  for (const step of trace.steps) {
    if (step.tool !== undefined) {
      for (const value of valuesGiven(step)) given.push(value);
      continue;
    }
    const role = speakerOf(step);
    if (role !== undefined) said.push({ role, text: step.content ?? '' });
  }
  return { objective: trace.task.objective, said, given };
}

/**
 * The role that an importer writes on an observation that does not come from a tool. Read here by its key,
 * because the embedder does not depend on @kp/schema, which has `readStepSource`.
 */
function speakerOf(step: EmbeddableStep): string | undefined {
  if (step.type !== 'observation') return undefined;
  const { role }: { role?: unknown } = Object(Reflect.get(step, 'kp:source'));
  return typeof role === 'string' ? role : undefined;
}

/**
 * The values in a tool's input, without the names of its fields.
 *
 * @param step - a tool call.
 */
export function valuesGiven(step: EmbeddableStep): string[] {
  assertType('step', 'an object', step);
  const { input, content } = step;
  const given: string[] = [];
  collectValues(input, given);
  if (content !== undefined) given.push(content);
  return given;
}

function collectValues(value: unknown, into: string[]): void {
  if (typeof value === 'string') into.push(value);
  else if (typeof value === 'number' || typeof value === 'boolean') into.push(String(value));
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collectValues(inner, into);
  }
}
