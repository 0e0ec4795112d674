import type { Embedder } from '../embedding/embedder.ts';
import {
  createLexicalEmbedder,
  type LexicalEmbedderOptions,
} from '../lexical/create-lexical-embedder.ts';
import { taskView } from './task-view.ts';

/** Part of the id; changes with the text that is read of a trace. */
const VERSION = 1;

/**
 * The lexical embedder on what a run says of its task: the objective, what users said, and the values
 * that tools were given. What the agent thought and what tools returned are left out. Two runs are alike
 * if they attempt the same task, however they went about it.
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
