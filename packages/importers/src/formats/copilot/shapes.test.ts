import { describeShapes, Lines } from '../../../test/shapes.ts';

const event = (type: string, data: object) => ({ type, data, id: type, parentId: null });
const START = event('session.start', { sessionId: 's' });
const ASKED = event('user.message', { content: 'Go.' });

describeShapes('copilot', [
  [
    'a sub-agent, a call without a request and a refused call',
    new Lines(
      START,
      ASKED,
      event('assistant.message', {
        content: '',
        toolRequests: [{ toolCallId: 't', name: 'task', arguments: { prompt: 'Find it.' } }],
      }),
      event('subagent.started', { toolCallId: 't', agentName: 'finder' }),
      event('tool.execution_start', { parentToolCallId: 't', toolCallId: 'g', toolName: 'grep' }),
      event('tool.execution_complete', {
        parentToolCallId: 't',
        toolCallId: 'g',
        result: { content: 'a.ts' },
      }),
      event('tool.execution_complete', {
        toolCallId: 't',
        result: { result_type: 'rejected', text_result_for_llm: 'The user said no.' },
      }),
      event('abort', { reason: 'user initiated' }),
    ),
    [
      'asked Go.',
      'tool_call task {"prompt":"Find it."}',
      'observation The user said no.',
      'framework copilot',
      'result Interrupted by the user.',
      'source {"session_id":"s"}',
      'ending interrupted',
      'step 0: t',
      'step 1: t, rejected',
      'asked Find it.',
      'tool_call grep',
      'observation a.ts',
      'framework copilot',
      'source {"session_id":"s","agent_id":"t"}',
      'parent {"session_id":"s","call_id":"t"}',
      'step 0: g',
      'step 1: g',
    ],
  ],
  [
    'a session that ended with an error before its first step',
    new Lines(START, ASKED, event('session.error', { errorType: 'quota', message: 'No quota.' })),
    ['crashed No quota.'],
  ],
  [
    'a session that crashed, and a message of the user after an error',
    new Lines(
      START,
      ASKED,
      event('assistant.message', { content: 'I go.' }),
      event('session.task_complete', { success: false }),
      event('session.shutdown', { shutdownType: 'error', errorReason: 'out of memory' }),
      event('session.start', { sessionId: 's2' }),
      ASKED,
      event('assistant.message', { content: 'I go.' }),
      event('session.error', { errorType: 'quota', message: 'No quota.' }),
      event('user.message', { content: 'Continue.' }),
      event('session.shutdown', { shutdownType: 'routine' }),
    ),
    [
      'asked Go.',
      'thought I go.',
      'recorded false',
      'framework copilot',
      'source {"session_id":"s"}',
      'verdict session.shutdown',
      'asked Go.',
      'thought I go.',
      'observation Continue.',
      'recorded false',
      'framework copilot',
      'source {"session_id":"s2"}',
      'verdict session.error',
      'step 1: user',
    ],
  ],
  [
    'a session that crashed and was resumed',
    new Lines(
      START,
      ASKED,
      event('session.shutdown', { shutdownType: 'error', errorReason: 'out of memory' }),
      event('session.resume', {}),
      event('assistant.message', { content: 'Gone.' }),
    ),
    ['asked Go.', 'thought Gone.', 'framework copilot', 'source {"session_id":"s"}'],
  ],
]);
