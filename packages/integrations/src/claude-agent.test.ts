import { describe, expect, it } from 'bun:test';
import { createScorer } from '@kp/scoring';
import { createClaudeAgentScorer, fromClaudeAgent } from './claude-agent.ts';
import type { LiveScore } from './live-scorer.ts';

const PROMPT = 'List the files';
const SESSION = '6d0c61a5-0000-4000-8000-000000000001';
/** As the types SDKMessage of the SDK have it. */
const MESSAGES: readonly object[] = [
  {
    type: 'system',
    subtype: 'init',
    session_id: SESSION,
    model: 'claude-fake',
    tools: ['Bash'],
    uuid: 'u0',
  },
  { type: 'stream_event', event: { type: 'content_block_delta' }, session_id: SESSION, uuid: 'u1' },
  {
    type: 'assistant',
    session_id: SESSION,
    parent_tool_use_id: null,
    uuid: 'u2',
    message: {
      id: 'm1',
      role: 'assistant',
      model: 'claude-fake',
      content: [
        { type: 'text', text: 'I look' },
        { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } },
      ],
    },
  },
  {
    type: 'user',
    session_id: SESSION,
    parent_tool_use_id: null,
    uuid: 'u3',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a.txt' }],
    },
  },
  {
    type: 'assistant',
    session_id: SESSION,
    parent_tool_use_id: null,
    uuid: 'u4',
    message: { id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'a.txt' }] },
  },
];
const result = (change: object) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  session_id: SESSION,
  uuid: 'u5',
  result: 'a.txt',
  num_turns: 2,
  ...change,
});

async function* stream(messages: readonly object[], error?: Error): AsyncGenerator<object> {
  yield* messages;
  if (error !== undefined) throw error;
}

describe('fromClaudeAgent', () => {
  it.each<[object, boolean, string]>([
    // That it came to an end says nothing of whether the task is done.
    [{}, true, 'assumed'],
    [{ is_error: true }, false, 'recorded'],
    [{ subtype: 'error_max_turns', is_error: true }, false, 'recorded'],
  ])('with a result of %p says success %p, %s', async (change, success, source) => {
    const { trace, provenance } = await fromClaudeAgent([...MESSAGES, result(change)], {
      prompt: PROMPT,
    });
    expect(trace.task.objective).toBe(PROMPT);
    expect(trace.steps.map(({ type, tool }) => tool?.name ?? type)).toEqual([
      'thought',
      'Bash',
      'observation',
      'thought',
    ]);
    expect(trace.metadata.success).toBe(success);
    expect<string>(provenance.success).toBe(source);
  });

  it.each([[[]], [[{ type: 'unheard' }]]])('refuses %p', async (messages) => {
    await expect(fromClaudeAgent(messages)).rejects.toMatchObject({ code: 'OBJECT_UNKNOWN' });
  });
});

describe('createClaudeAgentScorer', () => {
  function watching() {
    const scores: LiveScore[] = [];
    const live = createClaudeAgentScorer({
      scorer: createScorer({ embedder: null }),
      onScore: (score) => void scores.push(score),
    });
    return { live, scores };
  }

  it('hands on every message, and scores when the stream ends', async () => {
    const { live, scores } = watching();
    const all = [...MESSAGES, result({})];
    const handed: object[] = [];
    for await (const message of live.scored(stream(all), { prompt: PROMPT })) handed.push(message);
    expect(handed).toEqual(all);
    await live.flush();
    expect(scores.map(({ trace }) => trace.task.objective)).toEqual([PROMPT]);
  });

  it('throws on what the stream throws, and counts the run as failed', async () => {
    const { live, scores } = watching();
    const broken = new Error('connection lost');
    const read = async () => {
      for await (const _ of live.scored(stream(MESSAGES, broken)));
    };
    await expect(read()).rejects.toBe(broken);
    await live.flush();
    expect(scores[0]?.trace.metadata.success).toBe(false);
  });

  it('scores what was seen when the reader leaves, and closes the stream', async () => {
    const { live, scores } = watching();
    let closed = false;
    async function* endless(): AsyncGenerator<object> {
      try {
        yield* MESSAGES;
        for (;;) yield { type: 'system', subtype: 'status', session_id: SESSION };
      } finally {
        closed = true;
      }
    }
    let count = 0;
    for await (const _ of live.scored(endless(), { prompt: PROMPT })) if (++count === 20) break;
    await live.flush();
    expect([closed, scores.length]).toEqual([true, 1]);
  });
});
