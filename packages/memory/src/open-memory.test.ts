import { describe, expect, it } from 'bun:test';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { useFolder } from '@kp/testing/folder';
import { failureOf, until } from '../test/load.ts';
import { openMemory, pathOfFileUrl } from './open-memory.ts';

const folder = useFolder('kp-open-');

describe('pathOfFileUrl', () => {
  it.each([
    ['file:///runs/seen%20before.db', false, '/runs/seen before.db'],
    ['file:///C:/runs/seen%20before.db', true, 'C:\\runs\\seen before.db'],
    ['file://server/runs/seen.db', true, '\\\\server\\runs\\seen.db'],
  ])('accepts %s, on Windows: %p', (location, windows, path) => {
    expect(pathOfFileUrl(location, windows)).toBe(path);
  });

  it.each([
    ['file://server/runs/seen.db', false],
    ['file:///runs/seen.db', true],
  ])('rejects %s, which is no file there, on Windows: %p', (location, windows) => {
    expect(() => pathOfFileUrl(location, windows)).toThrow('file of this machine');
  });
});

describe('openMemory', () => {
  it('accepts a path, a path after sqlite:, and a file URL', async () => {
    const file = join(folder, 'seen.db');
    const embedder = { id: 'test/2', dimensions: 2 };
    for (const [at, location] of [
      file,
      `sqlite:${file}`,
      `SQLite:${file}`,
      pathToFileURL(file).href,
    ].entries()) {
      const memory = await openMemory(location, { embedder });
      await memory.add(Float32Array.of(1, at), `${at}`);
      expect(await memory.size).toBe(at + 1);
      await memory.close();
    }
  });

  const locations = 'memory: expected a file, sqlite:FILE, postgres://… or redis://…, received';

  it.each([
    ['', `${locations} ""`],
    [7, `${locations} number`],
    ['MySQL://host/db', `${locations} mysql:`],
    ['sqlite:', 'memory: expected the path of a file, received "sqlite:"'],
    [':memory:', 'memory: expected the path of a file, received ":memory:"'],
    ['sqlite::memory:', 'memory: expected the path of a file, received "sqlite::memory:"'],
    // A single letter is a drive of Windows.
    ['C:/no/folder/seen.db', 'C:/no/folder/seen.db: expected an existing memory'],
  ])('rejects %p', async (location, message) => {
    await expect(openMemory(location as string)).rejects.toThrow(message);
  });

  it.each(['postgres://kp@', 'redis://'])(
    'times out on a silent server at %s and closes the connection',
    async (scheme) => {
      const sockets = new Set<Socket>();
      const server = createServer((socket) => {
        sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
        socket.resume();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const embedder = { id: 'test/2', dimensions: 2 };
      const opened = openMemory(`${scheme}127.0.0.1:${port}`, { embedder, timeoutMs: 100 });
      const error = await failureOf(opened);
      expect(error.code).toBe('MEMORY_UNAVAILABLE');
      expect(error.message).toContain('expected an answer within 100 ms');
      expect(await until(() => sockets.size === 0)).toBe(true);
      server.close();
    },
  );
});
