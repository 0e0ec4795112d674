import { describe, expect, it } from 'bun:test';
import type { JsonObject } from '../json/json-value.ts';
import { assembleBedrockAnswer, readCompletion } from './bedrock-stream.ts';

/** Messages without headers; readers do not verify the checksums. */
function stream(...payloads: readonly object[]): number[] {
  return payloads.flatMap((payload) => {
    const body = new TextEncoder().encode(JSON.stringify(payload));
    const prelude = new DataView(new ArrayBuffer(12));
    prelude.setUint32(0, body.length + 16);
    return [...new Uint8Array(prelude.buffer), ...body, 0, 0, 0, 0];
  });
}
const hex = (bytes: readonly number[]): string =>
  bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
const chunk = (value: object): object => ({ bytes: btoa(JSON.stringify(value)) });

const CONVERSE = [
  { role: 'assistant', p: 'abc' },
  { delta: { reasoningContent: { text: 'Which ' } }, contentBlockIndex: 0 },
  { delta: { reasoningContent: { text: 'city?' } }, contentBlockIndex: 0 },
  { delta: { text: 'I lo' }, contentBlockIndex: 1 },
  { delta: { text: 'ok.' }, contentBlockIndex: 1 },
  { start: { toolUse: { toolUseId: 'c1', name: 'f' } }, contentBlockIndex: 2 },
  { delta: { toolUse: { input: '{"a":' } }, contentBlockIndex: 2 },
  { delta: { toolUse: { input: '1}' } }, contentBlockIndex: 2 },
  { contentBlockIndex: 2 },
  { stopReason: 'tool_use' },
  { usage: { inputTokens: 3, outputTokens: 2 } },
];
const CONTENT: JsonObject[] = [
  { reasoningContent: { reasoningText: { text: 'Which city?' } } },
  { text: 'I look.' },
  { toolUse: { toolUseId: 'c1', name: 'f', input: { a: 1 } } },
];

describe('assembleBedrockAnswer', () => {
  it('joins the events of ConverseStream', () => {
    const answer = assembleBedrockAnswer(hex(stream(...CONVERSE)), 'hex');
    expect(answer?.output).toEqual({ message: { role: 'assistant', content: CONTENT } });
    expect(answer?.usage).toEqual({ inputTokens: 3, outputTokens: 2 });
  });

  it('joins chunks with named events, as those of Nova', () => {
    const named = CONVERSE.map((event) => chunk({ contentBlockDelta: event }));
    const answer = assembleBedrockAnswer(btoa(String.fromCharCode(...stream(...named))), 'base64');
    expect(answer?.output).toEqual({ message: { role: 'assistant', content: CONTENT } });
  });

  it('joins chunks with the events of Anthropic, and texts', () => {
    const anthropic = stream(
      chunk({ type: 'message_start', message: { id: 'm1' } }),
      chunk({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      chunk({ type: 'content_block_delta', index: 0, delta: { text: 'Gone.' } }),
    );
    const content = [{ type: 'text', text: 'Gone.' }];
    expect(assembleBedrockAnswer(hex(anthropic), 'hex')).toMatchObject({ content });
    const texts = stream(chunk({ generation: 'It ' }), chunk({ generation: 'rains.' }));
    expect(assembleBedrockAnswer(hex(texts), 'hex')).toEqual({ outputText: 'It rains.' });
  });

  it.each(['', 'zz', '00', hex(stream({ x: 1 }))])('is undefined for %j', (body) => {
    expect(assembleBedrockAnswer(body, 'hex')).toBeUndefined();
  });
});

describe('readCompletion', () => {
  it.each([
    [{ results: [{ outputText: 'Rain.' }] }, 'Rain.'],
    [{ generations: [{ text: 'Rain.' }, { text: 'Sun.' }] }, 'Rain.\nSun.'],
    [{ outputs: [{ text: 'Rain.' }] }, 'Rain.'],
    [{ output: { text: 'Rain.' }, citations: [] }, 'Rain.'],
    [{ generation: '' }, ''],
    [{ results: [], output: 'Rain.' }, undefined],
  ])('of %j is %p', (answer, text) => {
    expect(readCompletion(answer)).toBe(text as string);
  });
});
