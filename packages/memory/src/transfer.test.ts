import { describe, expect, it } from 'bun:test';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { VectorCache } from '@kp/vector-cache';
import { openTest } from '../test/load.ts';
import { logOf, vectorOf } from '../test/replay.ts';
import { exportMemory, readTransfer } from './transfer.ts';

const folder = useFolder('kp-transfer-');

const bytes = async function* (...texts: (string | Uint8Array)[]) {
  for (const text of texts) yield typeof text === 'string' ? new TextEncoder().encode(text) : text;
};
const SECRET = 'a secret of some length';
const HEAD = '{"memory":"kp","version":1,"embedderId":"test/8","dimensions":8}\n';

describe('exportMemory and readTransfer', () => {
  it('transfer a memory exactly for any chunk boundaries', async () => {
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
  });

  it('accept a snapshot of a VectorCache', async () => {
    const cache = new VectorCache({ dimensions: 8, embedderId: 'test/8' });
    cache.add(vectorOf(1), 'one');
    cache.add(vectorOf(2));
    const [first, ...rest] = [cache.toBytes().subarray(0, 3), cache.toBytes().subarray(3)];
    const { embedder, entries } = await readTransfer(bytes(first, ...rest), 'seen.kpvc');
    expect(embedder).toEqual({ id: 'test/8', dimensions: 8 });
    const keys: string[] = [];
    for await (const { key } of entries) keys.push(key);
    expect(keys).toEqual(['one', 'seen.kpvc#1']);
  });

  it('write the documented line format', async () => {
    const memory = {
      embedderId: 'test/2',
      dimensions: 2,
      async *entries() {
        yield { key: 'a', addedAt: 7, vector: Float32Array.of(1, -2) };
      },
    };
    const lines = await Array.fromAsync(exportMemory(memory));
    expect(lines).toEqual([
      '{"memory":"kp","version":3,"embedderId":"test/2","dimensions":2}\n',
      // 00 00 80 3f, 00 00 00 c0.
      '{"key":"a","addedAt":7,"vector":"AACAPwAAAMA="}\n',
      '{"entries":1}\n',
    ]);
    // Without the last line break, and with empty lines in between.
    const { embedder, entries } = await readTransfer(
      bytes(`${lines[0]}\n`, `\n${lines[1]}\n`, `${lines[2]?.trim()}`),
      'x',
    );
    expect(embedder).toEqual({ id: 'test/2', dimensions: 2 });
    expect(await Array.fromAsync(entries)).toEqual([{ key: 'a', vector: Float32Array.of(1, -2) }]);
  });

  it('read separate lines of exactly 32 MiB', async () => {
    const vector = Buffer.alloc(32).toString('base64');
    const line = (key: string) => JSON.stringify({ key, vector, addedAt: 7 });
    const source = bytes(HEAD, line('a').padEnd(2 ** 25), `\n${line('b')}`, '\n');
    const { entries } = await readTransfer(source, 'x');
    expect(await Array.fromAsync(entries, ({ key }) => key)).toEqual(['a', 'b']);
  });

  it.each([
    ['of version 1', HEAD],
    ['without a version', HEAD.replace('"version":1,', '')],
  ])('read an export %s, which has no end', async (_, head) => {
    const vector = Buffer.alloc(32).toString('base64');
    const lines = ['a', 'b'].map((key) => `${JSON.stringify({ key, addedAt: 7, vector })}\n`);
    const { entries } = await readTransfer(bytes(head, ...lines), 'x');
    expect(await Array.fromAsync(entries)).toHaveLength(2);
  });

  it('refuse an export that was cut at the end of a line', async () => {
    const memory = {
      embedderId: 'test/8',
      dimensions: 8,
      async *entries() {
        for (const key of ['a', 'b']) yield { key, addedAt: 7, vector: vectorOf(1) };
      },
    };
    const [head = '', a = '', b = '', end = ''] = await Array.fromAsync(exportMemory(memory));
    const remedy = '; the export was cut; export again';
    for (const [lines, message] of [
      [[head], `x: expected a last line with the number of entries, received none${remedy}`],
      [[head, a, b], `x: expected a last line with the number of entries, received none${remedy}`],
      [[head, b, end], `x: expected 2 entries, received 1${remedy}`],
      [[head, a, b, end, a], 'x:5: expected the end of the export, received another line'],
    ] as const) {
      const { entries } = await readTransfer(bytes(...lines), 'x');
      const reading = Array.fromAsync(entries);
      await expect(reading).rejects.toMatchObject({ code: 'MEMORY_DAMAGED' });
      await expect(reading).rejects.toThrow(message);
    }
    const { entries } = await readTransfer(bytes(head, a, b, end), 'x');
    expect(await Array.fromAsync(entries, ({ key }) => key)).toEqual(['a', 'b']);
    const later = readTransfer(bytes(head.replace('"version":3', '"version":4')), 'x');
    await expect(later).rejects.toThrow('x: expected an export of version 3 or before');
  });

  it('move hashed keys unchanged into a memory with the same secret', async () => {
    const [from, to] = await Promise.all(
      ['hashed.db', 'moved.db'].map((file) => openTest(join(folder, file), { hashKeys: SECRET })),
    );
    await from.addAll([1, 2].map((i) => ({ key: `trace ${i}`, vector: vectorOf(i) })));
    const lines = await Array.fromAsync(exportMemory(from));
    // The first 16 characters of the HMAC-SHA-256 of "check:".
    const digest = createHmac('sha256', SECRET).update('check:').digest('base64url').slice(0, 16);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ version: 3, hashedWith: digest });
    const { entries } = await readTransfer(bytes(...lines), 'x', { hashKeys: SECRET });
    await to.addAll(await Array.fromAsync(entries));
    expect((await to.verify()).digest).toBe((await from.verify()).digest);
    expect(await to.erase('trace 1')).toMatchObject({ removed: 1 });
    // Entries of a memory can be added to another one in the same way.
    await to.addAll(await Array.fromAsync(from.entries()));
    expect(await to.size).toBe(2);
    await Promise.all([from.close(), to.close()]);
  });

  it('refuse hashed keys for a memory with another secret, or without one', async () => {
    const from = await openTest(join(folder, 'source.db'), { hashKeys: SECRET });
    await from.add(vectorOf(1), 'trace');
    const lines = await Array.fromAsync(exportMemory(from));
    const remedy = 'set hashKeys to the secret of the memory that they come from';
    for (const [hashKeys, message] of [
      [undefined, `keys: expected not hashed, received hashed; ${remedy}`],
      [
        'another secret of 16',
        `keys: expected hashed with the secret in hashKeys, received hashed with another secret; ${remedy}`,
      ],
    ] as const) {
      const reading = readTransfer(bytes(...lines), 'x', { hashKeys });
      await expect(reading).rejects.toMatchObject({ code: 'MEMORY_MISMATCH' });
      await expect(reading).rejects.toThrow(`x, ${message}`);
      const to = await openTest(join(folder, `${hashKeys}.db`), { hashKeys });
      const adding = to.addAll(await Array.fromAsync(from.entries()));
      await expect(adding).rejects.toThrow(`entries, ${message}`);
      expect(await to.size).toBe(0);
      await to.close();
    }
    await expect(readTransfer(bytes(...lines), 'x', { hashKeys: 'short' })).rejects.toThrow(
      'hashKeys: expected a secret of at least 16 characters, received one of 5',
    );
    const odd = bytes(HEAD.replace('"version":1', '"version":3,"hashedWith":7'));
    await expect(readTransfer(odd, 'x')).rejects.toThrow('x:1: expected text in hashedWith');
    await from.close();
  });

  it('hash the keys of an export that are not hashed', async () => {
    const [from, to] = [
      await openTest(join(folder, 'plain.db')),
      await openTest(join(folder, 'secret.db'), { hashKeys: SECRET }),
    ];
    await from.add(vectorOf(1), 'trace');
    const lines = await Array.fromAsync(exportMemory(from));
    expect(lines[0]).not.toContain('hashedWith');
    const { entries } = await readTransfer(bytes(...lines), 'x', { hashKeys: SECRET });
    await to.addAll(await Array.fromAsync(entries));
    expect(await to.forget('trace')).toBe(true);
    await Promise.all([from.close(), to.close()]);
  });

  it.each([1, 2])('refuse keys of version %d that may be hashed', async (version) => {
    const head = HEAD.replace('"version":1', `"version":${version}`);
    const vector = Buffer.alloc(32).toString('base64');
    const key = createHmac('sha256', SECRET).update('key:trace').digest('base64url');
    const lines = [head, JSON.stringify({ key, vector, addedAt: 7 })];
    const { entries } = await readTransfer(bytes(...lines), 'x', { hashKeys: SECRET });
    const reading = Array.fromAsync(entries);
    await expect(reading).rejects.toMatchObject({ code: 'MEMORY_MISMATCH' });
    await expect(reading).rejects.toThrow(
      'x:2, key: expected an id of a trace, as this export does not say whether its keys are hashed, received one in the form of a hash; export the memory again with this version',
    );
  });

  it('read an empty memory with one dimension', async () => {
    const { embedder, entries } = await readTransfer(
      bytes('{"embedderId":"one","dimensions":1}'),
      'x',
    );
    expect(embedder.dimensions).toBe(1);
    expect(await Array.fromAsync(entries)).toEqual([]);
  });

  it.each([
    ['a list', '[1]', 'x:1: expected an export of kp memory'],
    ['no dimensions', '{"embedderId":"a","dimensions":0}', 'x:1: expected an export'],
    ['half a dimension', '{"embedderId":"a","dimensions":1.5}', 'x:1: expected an export'],
    ['an embedder that is not text', '{"embedderId":1,"dimensions":8}', 'x:1: expected an export'],
    ['null', 'null', 'x:1: expected a JSON object, received "null"'],
    ['a number', '7', 'x:1: expected a JSON object, received "7"'],
    ['a long line', 'y'.repeat(50), `received "${'y'.repeat(40)}"`],
    ['a line too many', `${HEAD}\n\n7`, 'x:4: expected a JSON object'],
    ['an invalid key', `${HEAD}{"key":1,"vector":""}`, 'a vector of 32 bytes, received 0 bytes'],
    [
      'an invalid vector',
      `${HEAD}{"key":"a","vector":[1]}`,
      'x:2: expected a key and a vector of 32 bytes, received 0 bytes',
    ],
    [
      'a vector with an invalid key',
      `${HEAD}{"key":1,"vector":"${Buffer.alloc(32).toString('base64')}"}`,
      'x:2: expected a key and a vector of 32 bytes, received 32 bytes',
    ],
    [
      'a snapshot of nobody',
      new VectorCache({ dimensions: 8 }).toBytes(),
      'x: expected a snapshot with the name of its embedder',
    ],
    ['nothing', '', 'x:1: expected a JSON object'],
    ['another file', '{"a":1}\n', 'x:1: expected an export of kp memory'],
    ['a broken line', `${HEAD}{"key":`, 'x:2: expected a JSON object'],
    [
      'a key that is no text',
      Buffer.concat([Buffer.from(`${HEAD}{"key":"`), Buffer.of(0xff), Buffer.from('"}\n')]),
      'x:2: expected UTF-8 text, received other bytes',
    ],
    [
      'a line without end',
      `${HEAD}${'a'.repeat(2 ** 25 + 1)}`,
      'x:2: expected a line of at most 33554432 bytes, received a longer one',
    ],
    ['a short vector', `${HEAD}{"key":"a","vector":"AAAA"}`, 'x:2: expected a key and a vector'],
    ['a damaged snapshot', 'KPVCACHE and more', 'x: expected an undamaged snapshot'],
  ])('refuse %s', async (_, text, message) => {
    const reading = async () => {
      const { entries } = await readTransfer(bytes(text), 'x');
      for await (const entry of entries) expect(entry).toBeUndefined();
    };
    await expect(reading()).rejects.toThrow(message);
  });
});
