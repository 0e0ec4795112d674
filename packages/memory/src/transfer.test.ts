import { describe, expect, it } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorCache } from '@kp/vector-cache';
import { openTest } from '../test/load.ts';
import { logOf, vectorOf } from '../test/replay.ts';
import { exportMemory, readTransfer } from './transfer.ts';

const bytes = async function* (...texts: (string | Uint8Array)[]) {
  for (const text of texts) yield typeof text === 'string' ? new TextEncoder().encode(text) : text;
};
const HEAD = '{"memory":"kp","version":1,"embedderId":"test/8","dimensions":8}\n';

describe('exportMemory and readTransfer', () => {
  it('carry a memory over, vector for vector, cut anywhere', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kp-transfer-'));
    const [from, to] = [await openTest(join(folder, 'a.db')), await openTest(join(folder, 'b.db'))];
    for (let i = 0; i < 50; i++) await from.add(vectorOf(i), `trace "${i}" 航班`);
    const lines: string[] = [];
    for await (const line of exportMemory(from)) lines.push(line);
    const all = new TextEncoder().encode(lines.join(''));
    const cut = Array.from({ length: Math.ceil(all.length / 7) }, (_, i) =>
      all.subarray(i * 7, i * 7 + 7),
    );
    const { embedder, entries } = await readTransfer(bytes(...cut), 'x');
    expect(embedder).toEqual({ id: 'test/8', dimensions: 8 });
    for await (const entry of entries) await to.addAll([entry]);
    const bare = async (memory: typeof to) =>
      (await logOf(memory)).map(({ key, vector }) => ({ key, vector }));
    expect(await bare(to)).toEqual(await bare(from));
    await Promise.all([from.close(), to.close()]);
    await rm(folder, { recursive: true });
  });

  it('read a snapshot of a VectorCache', async () => {
    const cache = new VectorCache({ dimensions: 8, embedderId: 'test/8' });
    cache.add(vectorOf(1), 'one');
    cache.add(vectorOf(2));
    const { embedder, entries } = await readTransfer(bytes(cache.toBytes()), 'seen.kpvc');
    expect(embedder).toEqual({ id: 'test/8', dimensions: 8 });
    const keys: string[] = [];
    for await (const { key } of entries) keys.push(key);
    expect(keys).toEqual(['one', 'seen.kpvc#1']);
  });

  it.each([
    ['nothing', '', 'x:1: expected a JSON object'],
    ['another file', '{"a":1}\n', 'x:1: expected an export of kp memory'],
    ['a broken line', `${HEAD}{"key":`, 'x:2: expected a JSON object'],
    ['a short vector', `${HEAD}{"key":"a","vector":"AAAA"}`, 'x:2: expected a key and a vector'],
    ['a damaged snapshot', 'KPVCACHE and more', 'x: expected a sound snapshot'],
  ])('refuse %s', async (_, text, message) => {
    const reading = async () => {
      const { entries } = await readTransfer(bytes(text), 'x');
      for await (const entry of entries) expect(entry).toBeUndefined();
    };
    expect(reading()).rejects.toThrow(message);
  });
});
