import type { Embedder } from '../embedding/embedder.ts';
import {
  createLexicalEmbedder,
  type LexicalEmbedderOptions,
} from '../lexical/create-lexical-embedder.ts';
import { taskView } from './task-view.ts';

/** Part of the id; changes with the text that is read of a trace. */
const VERSION = 1;

/**
 * The lexical embedder, applied to the description of the task: the objective, the users' messages
 * and the values in tool inputs. The agent's thoughts and the results of tools are left out. Two
 * runs are similar if they attempt the same task, even in different ways.
 *
 * @param options - those of the lexical embedder.
 * @throws InvalidValueError when the dimensions are out of range.
 */
export function createTaskEmbedder(options: LexicalEmbedderOptions = {}): Embedder {
  const { id, dimensions, embed } = createLexicalEmbedder(options);
  return {
    id: `task/${VERSION}/${id}`,
    dimensions,
    textOf: (trace) => taskView(trace).task,
    embed,
  };
}
