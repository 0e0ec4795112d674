import { assertFields, assertType } from '@kp/foundation';
import type { EmbeddableStep, EmbeddableTrace } from '../embedding/embedder.ts';

/**
 * What a trace says about its task, in three views, of which each contains the one before. What the
 * agent thought and what the tools answered are left out: they are long, and similar for any task.
 */
export interface TaskView {
  /** What the run was to do. */
  readonly objective: string;
  /** The objective, then what users said. */
  readonly asked: string;
  /** The objective, what users said, then what tools were given. */
  readonly task: string;
}

/**
 * The three views of a trace.
 *
 * @param trace - a valid trace.
 */
export function taskView(trace: EmbeddableTrace): TaskView {
  assertFields('trace', trace, { task: 'an object', steps: 'an array' });
  const said: string[] = [trace.task.objective];
  const given: string[] = [];
  for (const step of trace.steps) {
    if (step.tool !== undefined) {
      for (const value of valuesGiven(step)) given.push(value);
    } else if (isSaidByUser(step)) {
      said.push(step.content ?? '');
    }
  }
  const asked = said.join('\n');
  return { objective: trace.task.objective, asked, task: [asked, ...given].join('\n') };
}

/** By the role that an importer writes on an observation that no tool made. */
function isSaidByUser(step: EmbeddableStep): boolean {
  const source: unknown = Reflect.get(step, 'kp:source');
  return step.type === 'observation' && typeof Object(source).role === 'string';
}

/**
 * The values given to a tool, without the names of its fields.
 *
 * @param step - a call of a tool.
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
