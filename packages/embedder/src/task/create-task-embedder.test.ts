import { describe, expect, it } from 'bun:test';
import { withEmbeddingCache } from '../embedding/embedding-cache.ts';
import { createLexicalEmbedder } from '../lexical/create-lexical-embedder.ts';
import { createTaskEmbedder } from './create-task-embedder.ts';

const trace = {
  task: { objective: 'Cancel the order' },
  steps: [
    { type: 'thought', content: 'I look it up first' },
    { type: 'observation', content: 'It is W12', 'kp:source': { role: 'user' } },
    { type: 'tool_call', tool: { name: 'find' }, input: { id: 'W12', deep: [7] } },
    { type: 'observation', content: 'found, long record', 'kp:source': { call_id: 'c' } },
  ],
};

describe('createTaskEmbedder', () => {
  it('uses the objective, the user messages and the tool inputs', () => {
    expect(createTaskEmbedder().textOf?.(trace)).toBe('Cancel the order\nIt is W12\nW12\n7');
  });

  it('embeds like the lexical embedder under its own id', async () => {
    const [task, lexical] = [
      createTaskEmbedder({ dimensions: 64 }),
      createLexicalEmbedder({ dimensions: 64 }),
    ];
    expect(task).toMatchObject({ id: 'task/1/lexical/5/64', dimensions: 64 });
    expect(await task.embed(['a text'])).toEqual(await lexical.embed(['a text']));
  });

  it('keeps its text behind a cache', () => {
    expect(withEmbeddingCache(createTaskEmbedder()).textOf?.(trace)).toContain('It is W12');
    expect(withEmbeddingCache(createLexicalEmbedder()).textOf).toBeUndefined();
  });
});
