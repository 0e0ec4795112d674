import type { MemoryStore, NamespaceFacts } from '../log/memory-store.ts';
import { type MemoryOptions, resolveOptions } from '../log/options.ts';
import { retryTransient } from '../log/retry-transient.ts';
import { warnOfPlainPassword } from './open-redis-memory.ts';
import { createRedisConnection, type Reply } from './redis-connection.ts';
import { explainRedis, keysOf } from './redis-log.ts';
import { namespacesOf } from './redis-namespaces.ts';

/**
 * Opens a Redis or Valkey server to list and delete its namespaces.
 *
 * @param url - `redis://…` or `rediss://…`.
 * @throws `MemoryStoreError`
 */
export async function openRedisStore(
  url: string,
  options: Pick<MemoryOptions, 'timeoutMs' | 'onWarning'> = {},
): Promise<MemoryStore> {
  const resolved = resolveOptions(options);
  const connection = await createRedisConnection(url);
  warnOfPlainPassword(url, resolved);
  const send = (...words: readonly string[]): Promise<Reply> =>
    retryTransient('redis', resolved, (deadline) =>
      connection.send(deadline, words).catch((error: unknown) => {
        throw explainRedis(error);
      }),
    );

  async function factsOf(namespace: string): Promise<NamespaceFacts> {
    const [space = '', rows = '', ...others] = keysOf(namespace);
    const names = ['embedderId', 'dimensions', 'maxElements', 'ttlMs', 'head'];
    const fields = ((await send('HMGET', space, ...names)) as readonly Reply[]).map(String);
    const [embedderId = '', dimensions, maxElements, ttlMs, head = '0'] = fields;
    const last = await send('HGET', rows, head);
    let bytes: number | null = 0;
    for (const key of [space, rows, ...others]) {
      const size = await send('MEMORY', 'USAGE', key).catch(() => undefined);
      bytes = size === undefined || bytes === null ? null : bytes + Number(size);
    }
    return {
      namespace,
      embedderId,
      dimensions: Number(dimensions),
      maxElements: Number(maxElements),
      ttlMs: Number.isFinite(Number(ttlMs)) ? Number(ttlMs) : null,
      index: 'log',
      rows: Number(await send('HLEN', rows)),
      bytes,
      lastAppendedAt: last === null ? null : Number(String(last).split('|', 1)[0]),
    };
  }

  return {
    engine: 'redis',
    async namespaces() {
      const facts: NamespaceFacts[] = [];
      for (const namespace of await namespacesOf(send)) facts.push(await factsOf(namespace));
      return facts;
    },
    async namespacesWith(keys) {
      const found: string[] = [];
      for (const namespace of await namespacesOf(send)) {
        const positions = await send('HMGET', keysOf(namespace)[3] ?? '', ...keys);
        if ((positions as readonly Reply[]).some((each) => each !== null)) found.push(namespace);
      }
      return found;
    },
    drop: async (namespace) => Number(await send('UNLINK', ...keysOf(namespace))) > 0,
    close: () => connection.close(),
  };
}
