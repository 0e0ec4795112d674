import type { ImporterSample } from '../../importer/importer.ts';

/** A message of an event stream without headers; readers do not verify the checksums. */
export function message(payload: object): number[] {
  const body = new TextEncoder().encode(JSON.stringify(payload));
  const prelude = new DataView(new ArrayBuffer(12));
  prelude.setUint32(0, body.length + 16);
  return [...new Uint8Array(prelude.buffer), ...body, 0, 0, 0, 0];
}

export const event = (second: number, trace: object): number[] =>
  message({ eventTime: `2026-01-02T03:04:0${second}Z`, trace });
const step = (second: number, fields: object): number[] =>
  event(second, { orchestrationTrace: fields });
export const encode = (...messages: readonly number[][]): string =>
  btoa(String.fromCharCode(...messages.flat()));
const traceId = 't-0';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a call of InvokeAgent',
    text: JSON.stringify({
      log: {
        entries: [
          {
            request: {
              method: 'POST',
              url: 'https://bedrock-agent-runtime.us-east-1.amazonaws.com/agents/A/agentAliases/B/sessions/s1/text',
              postData: { text: '{"enableTrace":true,"inputText":"What is the weather in Oslo?"}' },
            },
            response: {
              status: 200,
              content: {
                encoding: 'base64',
                mimeType: 'application/vnd.amazon.eventstream',
                text: encode(
                  step(5, { modelInvocationInput: { foundationModel: 'claude', traceId } }),
                  step(6, { rationale: { text: 'I have to look.', traceId } }),
                  step(7, {
                    invocationInput: {
                      actionGroupInvocationInput: {
                        actionGroupName: 'weather',
                        function: 'get_weather',
                        parameters: [{ name: 'city', type: 'string', value: 'Oslo' }],
                      },
                      traceId,
                    },
                  }),
                  step(8, {
                    observation: { actionGroupInvocationOutput: { text: 'Rain.' }, traceId },
                  }),
                  step(9, { observation: { finalResponse: { text: 'It rains.' }, traceId } }),
                  message({ bytes: btoa('It rains.') }),
                ),
              },
            },
          },
        ],
      },
    }),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation Rain.',
      'thought It rains.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework bedrock-agent',
      'source {"session_id":"s1"}',
      'model claude',
      'step 1: 0/t-0',
      'step 2: 0/t-0',
    ],
  },
];
