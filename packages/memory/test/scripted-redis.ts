import { createServer, type Socket } from 'node:net';

/** A Redis whose answers a test specifies. */
export interface ScriptedRedis {
  readonly url: string;
  /** The commands so far, except those with which a client introduces itself. */
  readonly commands: string[][];
  /** Number of connections that were opened. */
  connections(): number;
  /** Whether a connection is open. */
  isOpen(): boolean;
  /** Ends all connections. */
  cut(): void;
  close(): void;
}

/**
 * @param answer - returns the answer to a command in the protocol of Redis (see {@link
 * encodeReply}); undefined: none.
 */
export async function scriptRedis(
  answer: (words: readonly string[]) => string | undefined,
): Promise<ScriptedRedis> {
  const sockets = new Set<Socket>();
  const commands: string[][] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      for (const words of commandsIn(data.toString('latin1'))) {
        if (/^(CLIENT|HELLO|SELECT)$/i.test(words[0] ?? '')) {
          socket.write('+OK\r\n');
          continue;
        }
        commands.push(words);
        const reply = answer(words);
        if (reply !== undefined) socket.write(reply);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    commands,
    connections: () => connections,
    isOpen: () => sockets.size > 0,
    cut,
    close() {
      cut();
      server.close();
    },
  };
}

/** Encodes texts as bulk strings, and lists as arrays. */
export function encodeReply(reply: string | readonly string[]): string {
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  return `*${reply.length}\r\n${reply.map(encodeReply).join('')}`;
}

/** Returns the words of the commands in a chunk of the protocol, which must be complete. */
function commandsIn(text: string): string[][] {
  const commands: string[][] = [];
  let at = 0;
  const numberAfter = (sign: string): number => {
    if (text[at] !== sign) throw new Error(`expected ${sign}, received ${text.slice(at, at + 20)}`);
    const end = text.indexOf('\r\n', at);
    const number = Number(text.slice(at + 1, end));
    at = end + 2;
    return number;
  };
  while (at < text.length) {
    const words: string[] = [];
    for (let left = numberAfter('*'); left > 0; left--) {
      const length = numberAfter('$');
      words.push(text.slice(at, at + length));
      at += length + 2;
    }
    commands.push(words);
  }
  return commands;
}
