import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { type LongLine, limitLines, requestIdOf } from './line-limit.ts';

async function pass(chunks: readonly string[], maxBytes: number) {
  const long: LongLine[] = [];
  const stream = limitLines(maxBytes, (line) => void long.push(line));
  for (const chunk of chunks) stream.write(Buffer.from(chunk));
  stream.end();
  const passed = (await Array.fromAsync(stream)).map(String).join('');
  return { passed, long };
}

describe('limitLines', () => {
  it('forwards lines within the limit for any chunk boundaries', async () => {
    const lines = fc.array(fc.stringMatching(/^[a-z]{0,30}$/), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 7 }), async (all, size) => {
        const text = all.map((line) => `${line}\n`).join('');
        const chunks = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
        const { passed, long } = await pass(chunks, 20);
        const short = all.filter((line) => line.length <= 20);
        expect(passed).toBe(short.map((line) => `${line}\n`).join(''));
        expect(long.map(({ bytes }) => bytes)).toEqual(
          all.filter((line) => line.length > 20).map(({ length }) => length),
        );
      }),
    );
  });

  it('keeps 4,096 bytes of each end of a longer line', async () => {
    const line = `${'a'.repeat(5000)}${'b'.repeat(50_000)}${'c'.repeat(5000)}`;
    const chunks = `${line}\n`.match(/[\s\S]{1,999}/g) ?? [];
    const { long } = await pass(chunks, 10_000);
    expect(long).toEqual([{ head: 'a'.repeat(4096), tail: 'c'.repeat(4096), bytes: 60_000 }]);
  });
});

describe('requestIdOf', () => {
  const long = 'x'.repeat(100);
  it.each<[object, string | number | undefined]>([
    [{ method: 'tools/call', params: { long }, jsonrpc: '2.0', id: 7 }, 7],
    [{ method: 'tools/call', params: { long }, id: 'a"b', jsonrpc: '2.0' }, 'a"b'],
    [{ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { long } }, 3],
    [{ jsonrpc: '2.0', method: 'tools/call', id: 0, params: { id: 5, long } }, 0],
    [{ jsonrpc: '2.0', method: 'tools/call', params: { long, id: 5 } }, undefined],
  ])('finds the id of %j: %p', (request, id) => {
    const text = JSON.stringify(request);
    expect(requestIdOf({ head: text.slice(0, 80), tail: text.slice(-40), bytes: 0 })).toBe(
      id as never,
    );
  });
});
