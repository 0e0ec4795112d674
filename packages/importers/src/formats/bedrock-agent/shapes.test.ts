import { describe, expect, it } from 'bun:test';
import { importAll } from '../../../test/read.ts';
import { decodeEventStream } from '../../messages/event-stream.ts';
import { samples } from './samples.ts';

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
});
