import type { Reply } from './redis-connection.ts';

const SPACE_KEY = /^kp:\{(.*)\}:space$/;

/**
 * Returns the names of all namespaces of a server. Scans all keys of the server in batches.
 *
 * @param send - sends a command.
 */
export async function namespacesOf(
  send: (...words: readonly string[]) => Promise<Reply>,
): Promise<readonly string[]> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const reply = await send('SCAN', cursor, 'MATCH', 'kp:{*}:space', 'COUNT', '1000');
    const [next, keys] = reply as readonly [Reply, readonly Reply[]];
    for (const key of keys) {
      const [, name] = SPACE_KEY.exec(String(key)) ?? [];
      if (name !== undefined) found.add(decodeURIComponent(name));
    }
    cursor = String(next);
  } while (cursor !== '0');
  return [...found].sort();
}
