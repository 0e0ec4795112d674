import { connect, createServer } from 'node:net';

/**
 * A port that nobody listens at, below those that systems give to clients: a connection of another
 * test could take one of these while the server at it is down.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port from 10000 to 29999');
}

/** Whether something listens there. */
export function isListening(
  address: { host: string; port: number } | { path: string },
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => resolve(true)).on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
