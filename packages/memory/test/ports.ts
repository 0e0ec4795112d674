import { connect, createServer } from 'node:net';

/**
 * Returns an unused port below the range that systems assign to clients, because a connection of
 * another test could otherwise take it while the server is down.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port from 10000 to 29999');
}

/** Returns whether a process listens on the port. */
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
