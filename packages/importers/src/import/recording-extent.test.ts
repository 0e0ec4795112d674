import { describe, expect, it } from 'bun:test';
import { recordingExtent } from './recording-extent.ts';

const chat = (text: string) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: text },
      { role: 'assistant', content: 'ok' },
    ],
  });
const lines = (count: number, line = chat) =>
  Array.from({ length: count }, (_, index) => `${line(`question ${index}`)}\n`);
const extentOf = (text: string) => recordingExtent(new TextEncoder().encode(text));

describe('recordingExtent', () => {
  it('is a line if the first ten lines are whole runs, with their bytes', async () => {
    const all = lines(30);
    const bytes = all.slice(0, 10).join('').length;
    expect(await extentOf(all.join(''))).toEqual({ kind: 'line', lines: 10, bytes });
  });

  it('counts empty lines', async () => {
    const text = lines(12).join('\n');
    const bytes = lines(10).join('\n').length;
    expect(await extentOf(text)).toEqual({ kind: 'line', lines: 19, bytes });
  });

  it.each([
    ['few lines', lines(9).join('')],
    [
      'one document',
      JSON.stringify(
        lines(12).map((line) => JSON.parse(line)),
        null,
        1,
      ),
    ],
    ['an invalid line', [...lines(5), '{"messages": \n', ...lines(20)].join('')],
    ['no line break', chat('x'.repeat(1000))],
    ['another container', '\x1f\x8b'],
    ['nothing', ''],
  ])('is the input for %s', async (_, text) => {
    expect(await extentOf(text)).toEqual({ kind: 'input' });
  });

  it('is all inputs for sessions that may continue in another file', async () => {
    const event = (index: number) =>
      `${JSON.stringify({
        ...{ type: 'user', uuid: `u${index}`, parentUuid: null, sessionId: 's', cwd: '/x' },
        ...{
          timestamp: '2026-01-01T00:00:00Z',
          version: '1',
          message: { role: 'user', content: 'hi' },
        },
      })}\n`;
    const text = Array.from({ length: 12 }, (_, index) => event(index)).join('');
    expect(await extentOf(text)).toEqual({ kind: 'inputs' });
  });
});
