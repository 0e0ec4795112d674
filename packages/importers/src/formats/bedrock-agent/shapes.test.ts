import { describe, expect, it } from 'bun:test';
import { importAll } from '../../../test/read.ts';
import { outlineOf } from '../../contract/outline.ts';
import { decodeEventStream } from '../../messages/event-stream.ts';
import { encode, event, message, samples } from './samples.ts';

const [sample] = samples;
const { log } = JSON.parse(sample?.text ?? '{}');
const stream: string = log.entries[0].response.content.text;

describe('decodeEventStream', () => {
  it('stops at the first damaged message', () => {
    expect(decodeEventStream(stream)).toHaveLength(6);
    const bytes = atob(stream);
    expect(decodeEventStream(btoa(bytes.slice(0, -20)))).toHaveLength(5);
    expect(decodeEventStream(btoa(`\xff\xff\xff\xff${bytes.slice(4)}`))).toEqual([]);
  });

  it.each(['', 'no base64 !', btoa('short')])('finds nothing in %j', (text) => {
    expect(decodeEventStream(text)).toEqual([]);
  });
});

describe('bedrock-agent', () => {
  it('reports an answer of which nothing can be decoded', async () => {
    const damaged = structuredClone({ log });
    damaged.log.entries[0].response.content.text = 'no base64 !';
    const [item] = await importAll(JSON.stringify(damaged));
    expect(item?.kind === 'error' && item.error.message).toMatch(/at least one step of an agent/);
  });

  const FAILURE = event(5, { failureTrace: { failureReason: 'Overloaded' } });
  const FINAL = event(6, {
    orchestrationTrace: { observation: { finalResponse: { text: 'Rain.' } } },
  });
  const CHUNK = message({ bytes: btoa('Rain.') });

  it.each([
    ['a failure', [FAILURE], ['crashed Overloaded']],
    ['a failure before a final response', [FAILURE, FINAL], ['thought Rain.']],
    ['a failure before a chunk of the answer', [FAILURE, CHUNK], ['thought Rain.']],
    ['a failure after the answer', [FINAL, CHUNK, FAILURE], ['thought Rain.', 'recorded false']],
  ])('judges %s', async (_name, messages, expected) => {
    const recording = structuredClone({ log });
    recording.log.entries[0].response.content.text = encode(...messages);
    const outline = await outlineOf(JSON.stringify(recording));
    expect(outline.filter((line) => /^(?:crashed|thought|recorded f)/.test(line))).toEqual(
      expected,
    );
  });
});
