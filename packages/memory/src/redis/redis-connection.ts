import { createHash } from 'node:crypto';
import { assertType, importOptional, messageOf, withTimeout } from '@kp/foundation';
import { MemoryStoreError } from '../log/errors.ts';
import { TransientError } from '../log/log.ts';

/** An answer of Redis, with bulk strings as bytes. */
export type Reply = Buffer | string | number | null | readonly Reply[];

export interface RedisConnection {
  /** @throws {@link TransientError} for what may pass, and for silence until the deadline. */
  send(deadline: number, words: readonly (string | Buffer)[]): Promise<Reply>;
  /** Runs a script, which is sent in full only when the server does not know it. */
  run(
    deadline: number,
    script: string,
    keys: readonly string[],
    values: readonly (string | Buffer)[],
  ): Promise<Reply>;
  close(): Promise<void>;
}

/** What we use of a client of the package `redis`. */
interface RedisClient {
  connect(): Promise<unknown>;
  sendCommand(words: readonly (string | Buffer)[]): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  destroy(): void;
}

/**
 * One connection, made at its first use and again after it is lost.
 *
 * @throws `DependencyError` when `redis` is not installed.
 */
export async function createRedisConnection(url: string): Promise<RedisConnection> {
  assertType('url', 'a string', url);
  const createClient = await loadRedis(url);
  let open: { readonly client: RedisClient; readonly ready: Promise<RedisClient> } | undefined;

  function connected(): Promise<RedisClient> {
    if (open === undefined) {
      const client = createClient();
      const made = { client, ready: connect(client) };
      open = made;
      made.ready.catch(() => {
        if (open === made) open = undefined;
      });
    }
    return open.ready;
  }

  /** Waits for nothing: a server that is silent may never let it in. */
  function drop(): void {
    const lost = open;
    open = undefined;
    try {
      lost?.client.destroy();
    } catch {
      // It was closed already.
    }
  }

  async function send(deadline: number, words: readonly (string | Buffer)[]): Promise<Reply> {
    const left = Math.max(0, deadline - performance.now());
    const answer = connected().then((client) => client.sendCommand(words));
    try {
      return (await withTimeout(answer, left, () => new Error('no answer in time'))) as Reply;
    } catch (error) {
      if (isRefusal(error)) throw refusal(error);
      // A late answer on this connection would be taken for that of the next command.
      drop();
      throw new TransientError(messageOf(error), { cause: error });
    }
  }

  return {
    send,
    async run(deadline, script, keys, values) {
      const sha = createHash('sha1').update(script).digest('hex');
      const rest = [`${keys.length}`, ...keys, ...values];
      try {
        return await send(deadline, ['EVALSHA', sha, ...rest]);
      } catch (error) {
        if (!messageOf(error).includes('NOSCRIPT')) throw error;
        return send(deadline, ['EVAL', script, ...rest]);
      }
    },
    close: async () => drop(),
  };
}

async function loadRedis(url: string): Promise<() => RedisClient> {
  const redis = await importOptional({
    packages: 'redis',
    neededFor: 'memories in Redis',
    load: () => import('redis'),
  });
  return () => {
    // Calls are made again by whoever asks; a queue in the client would hide how long they wait.
    const client = redis.createClient({
      url,
      RESP: 2,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: false, connectTimeout: 5000 },
    });
    const asBytes = client.withTypeMapping({ [redis.RESP_TYPES.BLOB_STRING]: Buffer });
    return {
      connect: () => client.connect(),
      sendCommand: (words) => asBytes.sendCommand([...words]),
      on: (event, listener) => client.on(event, listener),
      destroy: () => client.destroy(),
    };
  };
}

async function connect(client: RedisClient): Promise<RedisClient> {
  // The call that is under way is rejected as well; that is where it is told.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Whether the server itself answered with an error: the connection is sound. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^[A-Z]{3,}( |$)/.test(error.message);
}

// Loading its data set, a replica, a fail-over in progress, a script that runs long.
const PASSING = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|NOREPLICAS|MISCONF)/;

function refusal(error: unknown): unknown {
  const message = messageOf(error);
  if (PASSING.test(message)) return new TransientError(message, { cause: error });
  if (message.startsWith('OOM')) {
    return new MemoryStoreError({
      code: 'MEMORY_FULL',
      subject: 'redis',
      expected: 'room within its maxmemory',
      received: message,
      remedy: 'make room; nothing of this call was remembered',
      cause: error,
    });
  }
  return error;
}
