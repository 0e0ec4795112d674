import { afterEach, describe, expect, it } from 'bun:test';
import { failureOf, until } from '../../test/load.ts';
import { encodeReply, type ScriptedRedis, scriptRedis } from '../../test/scripted-redis.ts';
import type { MemoryOptions, MemoryWarning } from '../log/options.ts';
import { openRedisMemory } from './open-redis-memory.ts';

const embedder = { id: 'two', dimensions: 2 };
const STORED = {
  id: 'its id',
  head: '0',
  pruned: '0',
  version: '1',
  embedderId: 'two',
  dimensions: '2',
  maxElements: '9',
  ttlMs: 'Infinity',
  keyCheck: '',
};
const INFO = 'redis_version:7.2.4\r\naof_enabled:1\r\nmaxmemory_policy:noeviction\r\n';

interface Facts {
  /** Fields of the namespace; undefined: it does not exist. */
  readonly stored?: Readonly<Record<string, string>>;
  /** The fields with which another program creates it in between. */
  readonly meanwhile?: Readonly<Record<string, string>>;
  /** The answers to INFO in order, of which the last one repeats; one with `-` is an error. */
  readonly info?: readonly string[];
  /** The error that scripts get. */
  readonly refusal?: string;
}

describe('openRedisMemory', () => {
  const servers: ScriptedRedis[] = [];
  afterEach(() => {
    for (const each of servers.splice(0)) each.close();
  });

  /** Opens a memory on a server with these facts. */
  async function open(facts: Facts, options: MemoryOptions = {}) {
    const warnings: MemoryWarning[] = [];
    let { stored } = facts;
    const infos = [...(facts.info ?? [INFO])];
    const server = await scriptRedis(([command, , keys, ...words]) => {
      if (command === 'INFO') {
        const info = (infos.length > 1 ? infos.shift() : infos[0]) ?? '';
        return info.startsWith('-') ? info : encodeReply(info);
      }
      if (facts.refusal !== undefined) return facts.refusal;
      // The log, which is empty.
      if (keys === '4') return encodeReply(['70']);
      if (stored === undefined && words.length > 3) {
        stored = facts.meanwhile ?? fieldsOf(words.slice(1));
      } else if (words[1] === 'id') stored = { id: words[2] as string, ...stored };
      return encodeReply(Object.entries(stored ?? {}).flat());
    });
    servers.push(server);
    const opened = openRedisMemory(server.url, {
      onWarning: (warning) => warnings.push(warning),
      timeoutMs: 30_000,
      ...options,
    });
    return { opened, warnings, server, stored: () => stored };
  }

  it('creates a namespace that stores its options permanently', async () => {
    const { opened, warnings, server, stored } = await open({}, { embedder, namespace: 'own' });
    const memory = await opened;
    expect(stored()).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      version: '1',
      embedderId: 'two',
      dimensions: '2',
      maxElements: '100000',
      ttlMs: 'Infinity',
      keyCheck: '',
    });
    expect(memory).toMatchObject({ namespace: 'own', embedderId: 'two', dimensions: 2 });
    expect(server.commands[1]?.slice(2)).toEqual(['1', 'kp:{own}:space']);
    expect(warnings).toEqual([]);
    await memory.close();
    const timed = await open({}, { embedder, ttlMs: 60_000, maxElements: 5 });
    await (await timed.opened).close();
    expect(timed.stored()).toMatchObject({ ttlMs: '60000', maxElements: '5' });
  });

  it('finds an existing namespace without a given embedder', async () => {
    const { opened, stored } = await open({ stored: { ...STORED, ttlMs: '60000' } });
    const memory = await opened;
    expect(memory).toMatchObject({ embedderId: 'two', dimensions: 2 });
    expect(await memory.stats()).toMatchObject({ maxElements: 9, ttlMs: 60_000 });
    expect(stored()).toMatchObject({ version: '1' });
    await memory.close();
    const nothing = await open({});
    expect((await failureOf(nothing.opened)).code).toBe('MEMORY_LOCATION');
  });

  it('gives an id to a namespace of an earlier version', async () => {
    const { id: _, ...earlier } = STORED;
    const { opened, stored, server } = await open({ stored: earlier });
    const memory = await opened;
    await memory.size;
    const { id } = stored() as { id: string };
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(server.commands.at(-1)?.at(-1)).toBe(id);
    await memory.close();
  });

  it.each([
    ['embedder: expected three, received two', { embedder: { id: 'three', dimensions: 2 } }],
    ['dimensions: expected 3, received 2', { embedder: { id: 'two', dimensions: 3 } }],
    ['maxElements: expected 10, received 9', { maxElements: 10 }],
    ['ttlMs: expected 5, received Infinity', { ttlMs: 5 }],
    ['keys: expected hashed with this secret, received not', { hashKeys: 'sixteen characters' }],
  ])('rejects options that differ from those of the namespace: %s', async (message, options) => {
    const error = await failureOf((await open({ stored: STORED }, options)).opened);
    expect(error.code).toBe('MEMORY_MISMATCH');
    expect(error.message).toStartWith(`namespace "default", ${message}`);
  });

  it('accepts its secret when it is opened again', async () => {
    const options = { embedder, hashKeys: 'sixteen characters' };
    const first = await open({}, options);
    await (await first.opened).close();
    const stored = first.stored();
    await (await (await open({ stored }, options)).opened).close();
    const error = await failureOf((await open({ stored }, { embedder })).opened);
    expect(error.message).toContain('keys: expected not hashed');
  });

  it('uses the settings of a process that created the namespace in between', async () => {
    const meanwhile = { ...STORED, embedderId: 'three' };
    const error = await failureOf((await open({ meanwhile }, { embedder })).opened);
    expect(error.code).toBe('MEMORY_MISMATCH');
    expect(error.message).toContain('embedder: expected two, received three');
  });

  it.each([
    ['2', 'MEMORY_NEWER'],
    ['text', 'MEMORY_DAMAGED'],
  ])('rejects version %s', async (version, code) => {
    const error = await failureOf((await open({ stored: { ...STORED, version } })).opened);
    expect(error).toMatchObject({
      code,
      message:
        `redis, namespace "default": expected version 1 or before, received version ${version}; ` +
        'update @kp/memory, or choose another namespace',
    });
  });

  it('warns about server settings that can lose memories', async () => {
    const careless = 'redis_version:7.2.4\r\naof_enabled:0\r\nmaxmemory_policy:allkeys-lru\r\n';
    const { opened, warnings } = await open({ stored: STORED, info: [careless] });
    const memory = await opened;
    expect(warnings).toEqual([
      {
        code: 'MEMORY_NOT_DURABLE',
        message:
          'redis: the server writes no append-only file and may lose entries: set appendonly yes',
      },
      {
        code: 'MEMORY_NOT_DURABLE',
        message: 'redis: the server may evict entries when full: set maxmemory-policy noeviction',
      },
    ]);
    expect(await memory.stats()).toMatchObject({
      server: '7.2.4',
      appendOnly: false,
      evicts: true,
    });
    await memory.close();
  });

  it('recognises Valkey by its own version', async () => {
    const info = `redis_version:7.2.4\nvalkey_version:8.1.0\naof_enabled:1\n`;
    const { opened, warnings } = await open({ stored: STORED, info: [info] });
    const memory = await opened;
    expect(await memory.stats()).toMatchObject({
      server: '8.1.0',
      appendOnly: true,
      evicts: null,
    });
    expect(warnings).toEqual([]);
    await memory.close();
  });

  it('opens if the user may not run INFO', async () => {
    const { opened, warnings } = await open({ stored: STORED, info: ['-NOPERM no right\r\n'] });
    const memory = await opened;
    expect(await memory.stats()).toMatchObject({ server: null, appendOnly: null, evicts: null });
    expect(warnings).toEqual([]);
    await memory.close();
  });

  it('retries while the server is loading', async () => {
    const info = ['-LOADING its data\r\n', INFO];
    const { opened, warnings } = await open({ stored: STORED, info });
    const memory = await opened;
    expect(await memory.stats()).toMatchObject({ appendOnly: true, evicts: false });
    expect(warnings.map(({ message }) => message)).toEqual(['redis: LOADING its data; retrying']);
    await memory.close();
  });

  it('rejects a user without the right to run scripts, and closes the connection', async () => {
    const { opened, server } = await open({ refusal: '-NOPERM no scripts\r\n' });
    const error = await failureOf(opened);
    expect(error.code).toBe('MEMORY_UNAVAILABLE');
    expect(error.message).toContain('received NOPERM no scripts; check the address');
    expect(await until(() => !server.isOpen())).toBe(true);
  });
});

function fieldsOf(words: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let i = 0; i < words.length; i += 2) fields[words[i] as string] = words[i + 1] as string;
  return fields;
}
